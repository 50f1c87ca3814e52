import { z } from 'zod';
import type { ToolFace } from '#server/engines/actions/contract';
import { patternProblem } from '#server/lib/linear-pattern';
import { type ActionInput, actionInputSchema, type OfferedTool } from '#shared/actions';

const propertySchema = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
});
const toolInputSchema = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});

const MAX_LABEL = 80;
const MAX_INPUTS = 8;

/** A tool as an action would use it, with the inputs that a customer can say in a call. */
export function offeredTool({ name, description, input, readOnly }: ToolFace): OfferedTool {
  const shape = toolInputSchema.safeParse(input ?? {});
  const { properties, required } = shape.success ? shape.data : { properties: {}, required: [] };
  const needed = new Set(required);
  const inputs: ActionInput[] = [];
  let unsayable: string | undefined;
  for (const [property, schema] of Object.entries(properties)) {
    // No action has more inputs, so the rest makes no difference.
    if (inputs.length > MAX_INPUTS) break;
    const input = inputOf(property, schema, needed.has(property));
    if (input) inputs.push(input);
    else if (needed.has(property)) unsayable ??= property;
  }
  const problem = !shape.success
    ? 'It does not say what it needs.'
    : unsayable !== undefined
      ? `It needs "${unsayable}", which nobody can say in a call.`
      : inputs.length > MAX_INPUTS
        ? `It needs more than ${MAX_INPUTS} things.`
        : null;
  return {
    name,
    description: description.slice(0, 500),
    inputs: inputs.slice(0, MAX_INPUTS),
    readOnly,
    ...(problem ? { problem } : {}),
  };
}

/** Null for an input that a customer cannot say: lists, objects, booleans. */
function inputOf(name: string, schema: unknown, required: boolean): ActionInput | null {
  const property = propertySchema.safeParse(schema);
  if (!property.success) return null;
  const { type, title, description, format, pattern, enum: options } = property.data;
  const kind = [type].flat().find((each) => each !== 'null') ?? 'string';
  const formats: Record<string, ActionInput['type']> = { email: 'email', date: 'date' };
  const read: Record<string, ActionInput['type']> = {
    string: formats[format ?? ''] ?? 'text',
    integer: 'digits',
    number: 'digits',
  };
  if (!read[kind]) return null;
  const words = options?.every((option) => typeof option === 'string')
    ? options.map((option) => option.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')
    : pattern;
  const input = actionInputSchema.safeParse({
    name,
    label: (title ?? spoken(name)).slice(0, MAX_LABEL) || description?.slice(0, MAX_LABEL),
    type: read[kind],
    ...(words && words.length <= 200 && patternProblem(words) === null ? { pattern: words } : {}),
    required,
  });
  return input.success ? input.data : null;
}

/** "orderNumber" → "order number". */
const spoken = (name: string) =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/_+/g, ' ')
    .toLowerCase()
    .trim();
