import { describe, expect, it } from 'vitest';
import { offeredTool } from './offered-tool.ts';

const tool = (properties: object, required: readonly string[] = []) =>
  offeredTool({
    name: 'a',
    description: 'Does it.',
    readOnly: true,
    input: { type: 'object', properties, required },
  });

describe('a tool as an action would use it', () => {
  it('asks for what somebody can say', () => {
    const { inputs, problem } = tool(
      {
        orderNumber: { type: 'integer', title: 'Order' },
        size: { enum: ['S', 'M+'] },
        day: { type: ['null', 'string'], format: 'date' },
        items: { type: 'array' },
      },
      ['orderNumber'],
    );
    expect(problem).toBeUndefined();
    expect(inputs).toEqual([
      { name: 'orderNumber', label: 'Order', type: 'digits', required: true },
      { name: 'size', label: 'size', type: 'text', pattern: 'S|M\\+', required: false },
      { name: 'day', label: 'day', type: 'date', required: false },
    ]);
  });

  it.each(['(a+)+\\1', '(?=a)a', '(?:a{100}){100}', '('])(
    'has no pattern where its own, %s, cannot be used',
    (pattern) =>
      expect(tool({ code: { type: 'string', pattern } }).inputs).toEqual([
        { name: 'code', label: 'code', type: 'text', required: false },
      ]),
  );

  it('says why it cannot be switched on', () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`p${n}`, {}]));
    expect(tool(many, Object.keys(many)).problem).toBe('It needs more than 8 things.');
    expect(tool({ items: { type: 'array' } }, ['items']).problem).toBe(
      'It needs "items", which nobody can say in a call.',
    );
    expect(offeredTool({ name: 'a', description: '', readOnly: true, input: 7 }).problem).toBe(
      'It does not say what it needs.',
    );
  });
});
