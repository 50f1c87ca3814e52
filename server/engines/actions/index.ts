import type { ActionsEngine } from './contract.ts';
import { type ActionsOptions, createHttpCalls } from './http.ts';
import { createToolCalls } from './mcp.ts';

/** The business's own systems, over HTTP and the Model Context Protocol. */
export const createActions = (options: ActionsOptions): ActionsEngine => ({
  call: createHttpCalls(options),
  ...createToolCalls(options),
});
