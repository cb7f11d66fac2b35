/** Everything of messages that a model would see, as one text. */
export const shownText = (messages) =>
  messages.flatMap((message) => message.parts.map(shownPart).filter(Boolean)).join('\n');

function shownPart(part) {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'toolCall':
      return `${part.name} ${part.input}`;
    case 'toolResult':
      return part.content.map(shownPart).join('\n');
    case 'image':
      return '[image]';
    case 'file':
      return part.text ?? '';
    case 'other':
      return JSON.stringify(part.value);
    default:
      return '';
  }
}
