import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { installationOwner } from '#server/lib/principal';
import { whileConnected } from '#server/lib/while-connected';
import {
  engineCapabilitySchema,
  engineChangeSchema,
  engineInUseSchema,
  engineSettingsSchema,
  engineTrialsSchema,
  engineTrySchema,
} from '#shared/engine-settings';
import type { EnginesService } from './service.ts';

const params = z.object({ capability: engineCapabilitySchema });

/** `/api/settings/engines`: the engines in use and the source of their settings. For owners. */
export const enginesRoutes =
  (engines: EnginesService): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Installation'];
    const config = { serves: [installationOwner()] };

    app.get(
      '/api/settings/engines',
      {
        config,
        schema: {
          tags,
          summary:
            'Which engines are in use, language servers found on this machine, and models that it may run',
          response: { 200: engineSettingsSchema },
        },
      },
      (_request, reply) => engines.list(whileConnected(reply)),
    );

    app.put(
      '/api/settings/engines/:capability',
      {
        config,
        schema: {
          tags,
          summary: 'Change the settings of an engine',
          description:
            'Settings by their names in the environment, which wins. They are kept under the seal of the server; keys are never answered. Null removes one, and one that is not named stays. Language, ears and voice change at once, rooms and storage with the next start.',
          params,
          body: engineChangeSchema,
          response: { 200: engineInUseSchema },
        },
      },
      ({ user, params, body, address }) => engines.change(user, params.capability, body.values, address),
    );

    app.post(
      '/api/settings/engines/:capability/try',
      {
        // A provider may charge for each trial.
        config: { ...config, perUser: { count: 20, windowS: 60 } },
        schema: {
          tags,
          summary: 'Have an engine do something real',
          description:
            'The one in use, or with `values` the one of these settings, of which nothing is kept. What did not work is told as `problem`.',
          params,
          body: engineTrySchema,
          response: { 200: engineTrialsSchema },
        },
      },
      async ({ user, params, body }, reply) => ({
        trials: await engines.try(user, params.capability, body.values, whileConnected(reply)),
      }),
    );
  };
