import { describe, expect, test } from 'vitest';
import { type ToolCall, unknownHabits } from '#server/engines/language/contract';
import { takeCitations } from './citations.ts';
import { cleaned } from './clean.ts';

async function read(written: string, size: number, habits = unknownHabits()) {
  async function* pieces() {
    for (let at = 0; at < written.length; at += size) yield written.slice(at, at + size);
  }
  const calls: Omit<ToolCall, 'id'>[] = [];
  let thought = 0;
  let text = '';
  const told = {
    onThinking: () => void thought++,
    onCall: ({ name, input }: ToolCall) => void calls.push({ name, input }),
  };
  for await (const piece of cleaned(pieces(), habits, told)) text += piece;
  const { cited, ...rest } = takeCitations(text);
  return { text: rest.text, cited, calls, thought };
}

/** A model's text, and its part for the customer. */
const SHAPES: readonly [name: string, written: string, said: string][] = [
  ['thinking in tags', '<think>\nThey ask for the price. [3]\n</think>\n\nIt costs $5.', 'It costs $5.'],
  ['thinking in other tags', '<reasoning>Hm, 5 or 6?</reasoning>It costs $5.', 'It costs $5.'],
  ['an empty thought', '<think></think>It costs $5.', 'It costs $5.'],
  ['a thought in the middle', 'Sure. <think>Which price?</think>It costs $5.', 'Sure. It costs $5.'],
  ['a thought that is never closed', '<think>They ask for the price and I', ''],
  [
    'a closing tag alone',
    'Okay, so the user asks for the price. It says 5.\n</think>\nIt costs $5.',
    'It costs $5.',
  ],
  [
    'a closing tag alone, planned',
    'We need to find the price. Passage 1 says 5.</think>It costs $5.',
    'It costs $5.',
  ],
  [
    'channels',
    '<|channel|>analysis<|message|>User asks price. "5".<|end|><|start|>assistant<|channel|>final<|message|>It costs $5.<|return|>',
    'It costs $5.',
  ],
  [
    'the final channel alone',
    '<|start|>assistant<|channel|>final<|message|>It costs $5.<|return|>',
    'It costs $5.',
  ],
  [
    'channels without their marks',
    'analysisUser asks for the price. It is 5.assistantfinalIt costs $5.',
    'It costs $5.',
  ],
  ['the end of a template', 'It costs $5.<|im_end|>\n<|im_start|>user\nAnd two?', 'It costs $5.'],
  ['the end of another', 'It costs $5.</s>', 'It costs $5.'],
  [
    'a header first',
    '<|start_header_id|>assistant<|end_header_id|>\n\nIt costs $5.<|eot_id|>',
    'It costs $5.',
  ],
  ['a role first', '<|im_start|>assistant\nIt costs $5.<|im_end|>', 'It costs $5.'],
  ['a customer that the model makes up', 'It costs $5.<|user|>And two?<|assistant|>$10.', 'It costs $5.'],
  ['thinking marks of Mistral', '[THINK]Price?[/THINK]It costs $5.', 'It costs $5.'],
  ['bold and italics', 'It **costs** *just* $5, __really__ _now_.', 'It costs just $5, really now.'],
  [
    'headings and lists',
    '## Prices\n\n- **Small:** $5\n- Large: $7\n1. Pay\n2) Collect',
    'Prices\n\nSmall: $5\nLarge: $7\nPay\nCollect',
  ],
  ['a table', '| Size | Price |\n|---|---|\n| Small | $5 |', 'Size, Price\n\nSmall, $5'],
  [
    'links',
    'See [our page](https://a.example/x) or <b>call</b> us&nbsp;now.',
    'See our page or call us now.',
  ],
  ['code', 'Send `START` to us.', 'Send START to us.'],
  [
    'what only looks like markdown',
    'Size 3 * 4 or 5 < 6, to a_b_c@x.example or snake_case.',
    'Size 3 * 4 or 5 < 6, to a_b_c@x.example or snake_case.',
  ],
  ['an answer in JSON', '{"answer": "It costs $5.", "sources": [1]}', 'It costs $5.'],
  ['an answer in fenced JSON', '```json\n{"response": "It costs $5."}\n```', 'It costs $5.'],
  ['a brace that is no JSON', '{name} is not known.', ''],
  [
    'a plan of the business',
    'We have three plans. The customer service is free.',
    'We have three plans. The customer service is free.',
  ],
  ['a question back', 'Which one do you mean?', 'Which one do you mean?'],
  [
    'what only sounds like thinking',
    'We need to see your ticket. It costs $5.',
    'We need to see your ticket. It costs $5.',
  ],
  ['another script', '营业时间是九点到五点。', '营业时间是九点到五点。'],
];

describe.each([1, 2, 3, 7, 40, 1_000])('in pieces of %i characters', (size) => {
  test.each(SHAPES)('%s', async (_, written, said) => {
    expect((await read(written, size)).text).toBe(said);
  });

  test.each([
    [
      'It takes 45 days [2]. Shoes, too [1, 3], not [sale] items.[4]',
      'It takes 45 days. Shoes, too, not [sale] items.',
      [2, 1, 3, 4],
    ],
    ['It costs $5 (see [1]).', 'It costs $5.', [1]],
    ['It costs $5【1】and $6 【2†source】.', 'It costs $5and $6.', [1, 2]],
    ['It costs $5 [^1], [passage 2] (source: [3]).', 'It costs $5,.', [1, 2, 3]],
    ['According to [1], it costs $5 [2-4].', 'it costs $5.', [1, 2, 3, 4]],
    ['It costs $5 (passage 2).', 'It costs $5.', [2]],
    [
      'Ring [1] [2] now (within 3 days) or see (page 4).',
      'Ring now (within 3 days) or see (page 4).',
      [1, 2],
    ],
  ])('citations: %s', async (written, said, cited) => {
    expect(await read(written, size)).toMatchObject({ text: said, cited });
  });

  test.each([
    [
      '<tool_call>\n{"name": "order_status", "arguments": {"order": "4471"}}\n</tool_call>',
      'order_status',
      '{"order":"4471"}',
    ],
    ['<function=order_status>{"order": "4471"}</function>', 'order_status', '{"order":"4471"}'],
    [
      '[TOOL_CALLS][{"name": "order_status", "arguments": {"order": "4471"}}]',
      'order_status',
      '{"order":"4471"}',
    ],
    [
      '<|channel|>commentary to=functions.order_status <|constrain|>json<|message|>{"order":"4471"}<|call|>',
      'order_status',
      '{"order":"4471"}',
    ],
  ])('a call written as text: %s', async (written, name, input) => {
    expect(await read(written, size)).toMatchObject({ text: '', calls: [{ name, input }] });
  });
});

test('a model that closed its thinking once is waited for until it does', async () => {
  const habits = unknownHabits();
  await read('Okay, the user wants the price.</think>It costs $5.', 3, habits);
  const { text, thought } = await read('Price? It stands there.</think>It costs $5.', 3, habits);
  expect(text).toBe('It costs $5.');
  expect(thought).toBeGreaterThan(3);
});

test('text comes as soon as it may be said', async () => {
  const seen: string[] = [];
  async function* pieces() {
    for (const piece of ['Returns take ', 'about 45 days [1', ']. And ', 'then']) {
      yield piece;
      seen.push('|');
    }
  }
  const told = { onThinking: () => {}, onCall: () => {} };
  for await (const piece of cleaned(pieces(), unknownHabits(), told)) seen.push(takeCitations(piece).text);
  expect(seen.join(' ')).toBe('Returns take | about 45 days | . And | then |');
});
