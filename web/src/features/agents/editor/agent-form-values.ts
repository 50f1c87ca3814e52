import { z } from 'zod';
import { type AgentDraft, agentDraftSchema, MAX_PROMPTS, promptSchema } from '#shared/agents';
import { type Sayings, sayingsIn, sayingsSchema } from '#shared/sayings';
import { t } from '#web/texts/agents';

/** A typed list: one entry per line. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const lines = (list: typeof sayingsSchema.shape.neverSay) =>
  z.string().superRefine((text, context) => {
    const problem = list.safeParse(linesOf(text)).error?.issues[0];
    if (problem) context.addIssue({ code: 'custom', message: problem.message });
  });

const { greeting, goodbye, answers, neverSay, handOverWhen } = sayingsSchema.shape;
const sayingFieldSchema = sayingsSchema.keyof();
export const sayingFields = sayingFieldSchema.options;
export type SayingField = z.infer<typeof sayingFieldSchema>;

/** The form: the server's rules, with each prompt as a row, and lists as lines. */
export const agentFormSchema = agentDraftSchema.omit({ prompts: true }).extend({
  prompts: z
    .array(z.object({ text: promptSchema }))
    .refine((rows) => rows.filter(({ text }) => text).length <= MAX_PROMPTS, t('editor.tooManyPrompts')),
  greeting,
  goodbye,
  answers,
  neverSay: lines(neverSay),
  handOverWhen: lines(handOverWhen),
  /** Fields decided before: if one is blank now, it is blank on purpose. */
  decided: z.array(sayingFieldSchema),
});
export type AgentFormValues = z.infer<typeof agentFormSchema>;

const nothingSaid = { greeting: '', goodbye: '', answers: [], neverSay: '', handOverWhen: '', decided: [] };

export const emptyAgent: AgentFormValues = {
  name: '',
  companyName: '',
  personality: '',
  companyInfo: '',
  prompts: [{ text: '' }],
  ...nothingSaid,
};

/** There is always at least one prompt row. */
export function toFormValues(agent: AgentDraft): AgentFormValues {
  const { name, companyName, personality, companyInfo, prompts, masks } = agent;
  const rows = prompts.length > 0 ? prompts.map((text) => ({ text })) : emptyAgent.prompts;
  return {
    ...{ name, companyName, personality, companyInfo, prompts: rows, ...(masks && { masks }) },
    ...nothingSaid,
    ...shownSayings(sayingsIn(agent)),
    decided: sayingFields.filter((field) => agent[field] !== undefined),
  };
}

/** Sayings as the form holds them. */
export function shownSayings({ neverSay, handOverWhen, ...said }: Partial<Sayings>) {
  return {
    ...said,
    ...(neverSay && { neverSay: neverSay.join('\n') }),
    ...(handOverWhen && { handOverWhen: handOverWhen.join('\n') }),
  };
}

/** The draft to send: drops empty prompts, and leaves undecided blank fields undecided. */
export function toDraft({ decided, ...values }: AgentFormValues): AgentDraft {
  const { greeting, goodbye, answers, neverSay, handOverWhen, prompts, ...own } = values;
  const isDecided = (field: SayingField) => decided.includes(field) || values[field].length > 0;
  return {
    ...own,
    prompts: prompts.map(({ text }) => text).filter(Boolean),
    ...(isDecided('greeting') && { greeting }),
    ...(isDecided('goodbye') && { goodbye }),
    ...(isDecided('answers') && { answers }),
    ...(isDecided('neverSay') && { neverSay: linesOf(neverSay) }),
    ...(isDecided('handOverWhen') && { handOverWhen: linesOf(handOverWhen) }),
  };
}
