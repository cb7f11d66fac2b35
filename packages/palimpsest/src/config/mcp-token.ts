/** Where the token of an MCP server over HTTP stands: a secret is no setting, and a list of processes shows what was typed. */

export const mcpTokenVariable = 'PALIMPSEST_MCP_TOKEN';
