/** A mark in a model's output. */
type Mark =
  | { is: 'thinking-begins' }
  | { is: 'thinking-ends' }
  | { is: 'call-begins'; name?: string }
  | { is: 'call-ends' }
  /** A channel name of OpenAI's harmony format follows. */
  | { is: 'channel' }
  /** The text of a channel or a role begins. */
  | { is: 'message' }
  /** A turn begins: its role follows. */
  | { is: 'role'; role?: string }
  /** A turn of the template is over. */
  | { is: 'turn-ends' }
  /** Part of a template without meaning. */
  | { is: 'nothing' };

const THINKING =
  'think|thinking|thought|thoughts|reasoning|reason|reflection|analysis|scratchpad|inner_monologue|seed:think';
const CALL = 'tool_call|tool_calls|function_call|function_calls|toolcall|tool';

const marks: readonly [RegExp, (groups: readonly string[]) => Mark][] = [
  [new RegExp(`^<(?:${THINKING})>$`, 'i'), () => ({ is: 'thinking-begins' })],
  [new RegExp(`^</(?:${THINKING})>$`, 'i'), () => ({ is: 'thinking-ends' })],
  [/^\[THINK\]$/, () => ({ is: 'thinking-begins' })],
  [/^\[\/THINK\]$/, () => ({ is: 'thinking-ends' })],
  [/^<\|(?:start_of_thinking|begin_of_thought|START_THINKING)\|>$/i, () => ({ is: 'thinking-begins' })],
  [/^<\|(?:end_of_thinking|end_of_thought|END_THINKING)\|>$/i, () => ({ is: 'thinking-ends' })],
  [new RegExp(`^<(?:${CALL})>$`, 'i'), () => ({ is: 'call-begins' })],
  [new RegExp(`^</(?:${CALL})>$`, 'i'), () => ({ is: 'call-ends' })],
  [/^<function=([\w.-]+)>$/i, ([name = '']) => ({ is: 'call-begins', name })],
  [/^<\/function>$/i, () => ({ is: 'call-ends' })],
  [
    /^<\|(?:python_tag|tool_calls?_begin|tool_call)\|>$|^<｜tool▁calls?▁begin｜>$|^\[TOOL_CALLS\]$/i,
    () => ({ is: 'call-begins' }),
  ],
  [/^<\|tool_calls?_end\|>$|^<｜tool▁calls?▁end｜>$/i, () => ({ is: 'call-ends' })],
  [/^<\|channel\|>$/i, () => ({ is: 'channel' })],
  [/^<\|message\|>$/i, () => ({ is: 'message' })],
  [/^<\|(?:start|im_start|start_header_id)\|>$|^<start_of_turn>$/i, () => ({ is: 'role' })],
  [
    /^<\|(assistant|user|system|tool)\|>$|^<｜(assistant|user)｜>$/i,
    ([a, b]) => ({ is: 'role', role: (a ?? b ?? '').toLowerCase() }),
  ],
  [/^<\|end_header_id\|>$/i, () => ({ is: 'message' })],
  [/^\[INST\]$|^<<SYS>>$/i, () => ({ is: 'role', role: 'user' })],
  [
    /^<\|(?:end|return|call|im_end|eot_id|eom_id|end_of_text|endoftext|end_of_turn|eos|END_OF_TURN_TOKEN)\|>$|^<｜end▁of▁sentence｜>$|^<\/s>$|^<end_of_turn>$|^<eos>$/i,
    () => ({ is: 'turn-ends' }),
  ],
  [
    /^<\|[^|<>\n]{1,40}\|>$|^<｜[^｜<>\n]{1,40}｜>$|^<\/?s>$|^<bos>$|^\[\/INST\]$|^<<\/SYS>>$|^<\/?(?:answer|response|output|final|final_answer)>$/i,
    () => ({ is: 'nothing' }),
  ],
];

/** Any text between such brackets may be a mark. */
const CANDIDATE =
  /<\|[^|<>\n]{1,40}\|>|<｜[^｜<>\n]{1,40}｜>|<<\/?SYS>>|<\/?[a-z_:]{1,20}(?:=[\w.-]{1,64})?>|\[\/?(?:TOOL_CALLS|INST|THINK)\]/giu;
/** A bracket that may become one. */
const OPEN = /<[^<>\n]{0,64}$|\[\/?[A-Z_]{0,11}$/u;

/** The first mark of a text; null without one. */
export function firstMark(text: string): { mark: Mark; begin: number; end: number } | null {
  for (const found of text.matchAll(CANDIDATE)) {
    for (const [pattern, read] of marks) {
      const groups = pattern.exec(found[0]);
      if (groups)
        return { mark: read(groups.slice(1)), begin: found.index, end: found.index + found[0].length };
    }
  }
  return null;
}

/** Where a mark may begin that more text completes; else the end of the text. */
export const openMarkAt = (text: string): number => {
  const at = text.slice(-80).search(OPEN);
  return at < 0 ? text.length : Math.max(0, text.length - 80) + at;
};
