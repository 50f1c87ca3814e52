import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { AgentProfile } from '#server/dialogue/contract';
import { EffectsService } from '#server/features/agents/effects/service';
import type { EffectRequest } from '#shared/effects';
import { openBrain } from './evaluate/brain.ts';
import { figure } from './figures.ts';
import { usage } from './usage.ts';

const folder = fileURLToPath(new URL('answers', import.meta.url));
const questionsSchema = z.object({ questions: z.array(z.object({ q: z.string() })) });

/**
 * Time to see the effect of a change on 200 questions, for an agent with the texts of all businesses of the own sets
 * and their customers' questions in turn.
 */
export async function benchEffects(): Promise<void> {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length));
  const texts = files.map((file) => readFileSync(join(folder, `${file}.md`), 'utf8'));
  const asked = files.map((file) =>
    questionsSchema
      .parse(JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8')))
      .questions.map(({ q }) => q),
  );
  const most = Math.max(...asked.map(({ length }) => length));
  const byTurns = Array.from({ length: most }, (_, n) =>
    asked.flatMap((questions) => questions[n] ?? []),
  ).flat();
  const agent: AgentProfile = {
    id: 'bench',
    revision: '1',
    ownerId: 'ada',
    name: 'Mia',
    companyName: 'Contoso',
    personality: 'Friendly and brief.',
    companyInfo: texts.join('\n\n'),
    prompts: [],
    language: 'en',
  };
  const brain = await openBrain({ cache: false });
  await brain.dialogue.complete(agent);
  const effects = new EffectsService({
    repository: {
      conversations: async (_userId, _agentId, _limit, before) =>
        before === null ? byTurns.map((_, n) => String(n)) : [],
      saidIn: async () => byTurns.map((content, n) => ({ conversationId: String(n), content })),
    },
    agents: { profileFor: async () => agent },
    documentOf: async () => null,
    dialogue: brain.dialogue,
    // All of them, without a practical time limit.
    withinMs: 3_600_000,
  });
  const see = async (what: string, change: EffectRequest) => {
    const before = await usage();
    const from = performance.now();
    const effect = await effects.see(
      { workspaceId: 'contoso', contactId: 'ada' },
      agent.id,
      change,
      new AbortController().signal,
    );
    const seconds = ((performance.now() - from) / 1_000).toFixed(1);
    const { cpuMs } = await usage();
    const cores = ((cpuMs - before.cpuMs) / 1_000).toFixed(1);
    figure(
      what,
      `${seconds} s, ${cores} s of a core   ${effect.changed} of ${effect.asked} answered differently`,
    );
  };
  figure('characters of company information', agent.companyInfo.length.toLocaleString('en'));
  const [first = '', second = ''] = texts;
  await see('nothing changed', {});
  await see('one price, one time', {
    companyInfo: agent.companyInfo.replace(/\$\d+/, '$7').replace(/\d+ (?:hours|days)/, '99 days'),
  });
  await see('a section added', {
    companyInfo: `${agent.companyInfo}\n\n# News\n\nWe moved to 12 Harbor Street.`,
  });
  await see('a document added', {
    documents: { add: [{ title: 'News', text: 'We moved to 12 Harbor Street.' }] },
  });
  await see('two businesses gone', {
    companyInfo: texts.filter((text) => text !== first && text !== second).join('\n\n'),
  });
  await see('half of all gone', { companyInfo: texts.filter((_, n) => n % 2 === 0).join('\n\n') });
  await see('another manner of speaking', { prompts: ['Always be formal and polite.'] });
  effects.close();
  await brain.close();
}
