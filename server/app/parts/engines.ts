import type { Database } from '#server/database/open';
import { openSeal } from '#server/database/secrets';
import type { Dialogue } from '#server/dialogue/contract';
import { createDialogue } from '#server/dialogue/respond';
import type { Engines } from '#server/engines/index';
import { demoAgent } from '#server/features/agents/demo-agent';
import type { AuditService } from '#server/features/audit/service';
import { EnginesRepository } from '#server/features/engines/repository';
import { enginesRoutes } from '#server/features/engines/routes';
import { EnginesService } from '#server/features/engines/service';
import { StoredEngines } from '#server/features/engines/stored-engines';
import { Trials } from '#server/features/engines/trials';
import type { Seal } from '#server/lib/seal';
import type { Config } from '#server/settings/config';
import { withStored } from '#server/settings/stored-settings';
import type { Logger } from '#server/telemetry/logger';

type Db = Database['db'];

/** The settings of the environment and those that owners saved; logs saved settings that cannot be used. */
export async function configWithSaved(db: Db, logger: Pick<Logger, 'warn'>): Promise<Config> {
  const { settings } = await new StoredEngines(new EnginesRepository(db), await openSeal(db)).read();
  const { config, problems } = withStored(settings);
  for (const [engine, problem] of Object.entries(problems))
    logger.warn({ engine, problem }, 'saved settings of an engine are not used');
  return config;
}

/** Connects the parts that show and change engines; `takeUp` applies the current settings to the engines. */
export function openEngineSettings(parts: {
  db: Db;
  seal: Seal;
  engines: Engines;
  dialogue: Dialogue;
  audit: AuditService;
  environment: NodeJS.ProcessEnv | undefined;
  logger: Pick<Logger, 'warn'>;
}) {
  const { db, seal, engines, dialogue, audit, environment, logger } = parts;
  const stored = new StoredEngines(new EnginesRepository(db), seal);
  const trials = new Trials({
    engines,
    /** Uses the embedded reader even if a model is in use, on the company of the demo agent. */
    async *reader(question, signal) {
      const isInUse = dialogue.brain.kind === 'grounded';
      const brain = isInUse ? dialogue : createDialogue({ reading: engines.reading });
      try {
        for await (const event of brain.respond({ agent: demoAgent, history: [], text: question }, signal))
          if (event.type === 'sentence') yield event.text;
      } finally {
        if (!isInUse) await brain.close();
      }
    },
  });
  const brain = () => dialogue.brain.name;
  const onFailure = (error: unknown) =>
    logger.warn({ err: error }, 'saved settings of engines could not be read');
  const service = new EnginesService({ stored, engines, trials, audit, brain, environment, onFailure });
  return { routes: enginesRoutes(service), takeUp: () => service.takeUp() };
}
