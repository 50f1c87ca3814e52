import type { ActionsEngine, SystemAnswer, SystemRequest, ToolCall } from './contract.ts';

/** Systems that answer as the test says, and with nothing otherwise. */
export function createFakeActions(
  answer: (request: SystemRequest | ToolCall) => Partial<SystemAnswer> = () => ({
    outcome: 'refused',
    status: 404,
  }),
): ActionsEngine & { readonly asked: (SystemRequest | ToolCall)[] } {
  const asked: (SystemRequest | ToolCall)[] = [];
  const call = async (request: SystemRequest | ToolCall, signal: AbortSignal): Promise<SystemAnswer> => {
    signal.throwIfAborted();
    asked.push(request);
    return { outcome: 'done', status: 200, ms: 1, answer: null, ...answer(request) };
  };
  return { asked, call, callTool: call, tools: async () => [] };
}
