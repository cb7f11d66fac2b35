/** Words that threats turn on, in their commonest forms: what a misspelled word is compared with. */
export const keyWords: readonly string[] = `
  ignore disregard forget override bypass previous prior earlier instruction instructions directive directives guideline guidelines
  system prompt message memory reveal developer assistant password credentials secret secrets approve approved confirm confirmation
  disable safety security filter never without permission restrictions unrestricted upload forward execute command
  commands rules user users notify mention transfer account invoice install download
  ignoriere vergiss vorherigen vorherige bisherigen anweisungen anweisung nutzer benutzer passwort kennwort genehmige bestätigung
  ignorez oublie précédentes consignes utilisateur approuve confirmation mémoire
  ignora olvida anteriores instrucciones usuario contraseña confirmación
  esqueça instruções usuário senha aprove confirmação
  игнорируй забудь предыдущие инструкции пользователь пользователю пользователя подтверждения пароль пароли
`
  .trim()
  .split(/\s+/);
