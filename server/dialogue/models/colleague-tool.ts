import type { Tool, ToolCall } from '#server/engines/language/contract';
import { type Contact, contactSchema } from '#shared/conversations';
import type { ActionTools, ToolResult } from '../actions/tools.ts';

const NAME = 'pass_to_colleague';
const tool: Tool = {
  name: NAME,
  description:
    'Tells a colleague to get back to the customer. Use it when the customer wants a person or a call back, or leaves how they can be reached. A phone number or an e-mail address is needed: without one, ask for it.',
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      name: { type: 'string', description: 'as the customer said it' },
      phone: { type: 'string', description: 'as the customer said it, in digits' },
      email: { type: 'string', description: 'as the customer said it' },
      note: { type: 'string', description: 'what it is about, in a few words' },
    },
  },
};
const FIELDS = ['name', 'phone', 'email', 'note'] as const;

/** The tool by which a model leaves a message with a colleague. */
interface ColleagueTool extends ActionTools {
  /** The customer's contact details of this turn; null if no colleague was told. */
  readonly left: Contact | null;
}

/**
 * Adds a tool by which a model passes the customer to a colleague: it stores their contact details, in any language.
 * @param before their details from earlier in the conversation
 */
export function withColleague(tools: ActionTools, before: Contact): ColleagueTool {
  let left: Contact | null = null;
  return {
    get left() {
      return left;
    },
    tools: [...tools.tools, tool],
    async call(call, signal) {
      if (call.name !== NAME) return tools.call(call, signal);
      const given = givenIn(call);
      if (!given)
        return failed('The input cannot be read: give name, phone and email as the customer said them.');
      left = { ...before, ...left, ...given };
      return left.phone || left.email
        ? passed(left)
        : failed('A phone number or an e-mail address is missing: ask the customer for it.');
    },
  };
}

function givenIn({ input }: ToolCall): Contact | null {
  let read: unknown;
  try {
    read = JSON.parse(input || '{}');
  } catch {
    return null;
  }
  if (typeof read !== 'object' || read === null) return null;
  const fields = FIELDS.flatMap((name) => {
    const value: unknown = Reflect.get(read, name);
    return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()] as const] : [];
  });
  return contactSchema.safeParse(Object.fromEntries(fields)).data ?? null;
}

const passed = (contact: Contact): ToolResult => ({
  result: JSON.stringify({ ok: true, noted: contact }),
  told: [
    `A colleague gets back to the customer, ${contact.name ?? ''}, at ${[contact.phone, contact.email].filter(Boolean).join(' or ')}. It was noted and passed on.`,
  ],
});
const failed = (why: string): ToolResult => ({ result: JSON.stringify({ ok: false, why }), told: [] });
