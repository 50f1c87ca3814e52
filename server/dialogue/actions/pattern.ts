import { createContext, Script } from 'node:vm';

/** Nothing that a person says for an input takes so long to compare, in milliseconds. */
const TIMEOUT_MS = 20;

const context = createContext({ pattern: '', value: '' });
const test = new Script('new RegExp("^(?:" + pattern + ")$", "u").test(value)');

/**
 * Whether a whole value matches a pattern that a business wrote. One that would take for ever does not: it is stopped,
 * since this runs on the main thread.
 */
export function matchesPattern(pattern: string, value: string): boolean {
  Object.assign(context, { pattern, value });
  try {
    return test.runInContext(context, { timeout: TIMEOUT_MS }) === true;
  } catch {
    return false;
  }
}
