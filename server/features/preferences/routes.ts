import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { preferencesChangeSchema, preferencesSchema } from '#shared/preferences';
import type { PreferencesService } from './service.ts';

/** `/api/preferences`: the signed-in user's preferences for all their calls. */
export const preferencesRoutes =
  (preferences: PreferencesService): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Preferences'];

    app.get(
      '/api/preferences',
      {
        schema: {
          tags,
          summary: 'What the signed-in user has settled for their calls',
          response: { 200: preferencesSchema },
        },
      },
      (request) => preferences.of(request.user._id),
    );

    app.put(
      '/api/preferences',
      {
        schema: {
          tags,
          summary: 'Settle something for all calls',
          description:
            'What is left out stays as it is. `keepRecordings: false` holds for what is said from now on: recordings that ' +
            'are there stay until their conversation is deleted.',
          body: preferencesChangeSchema,
          response: { 200: preferencesSchema },
        },
      },
      (request) => preferences.change(request.user._id, request.body),
    );
  };
