import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorBodySchema } from '#shared/errors';
import { describeAnswers } from './describe-answers.ts';

z.globalRegistry.add(errorBodySchema, { id: 'Error' });

/**
 * Describes every route that is registered after it: `GET /api/openapi.json`, and `/api/docs` to browse.
 * Made from the schemas that validate, so that it cannot disagree with them.
 */
export async function addDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Sigma',
        description:
          'Customer-care voice AI. Send the token of a sign-in as `Authorization: Bearer …`. POST routes that create ' +
          'from JSON accept an `Idempotency-Key`: the same key and body within 24 hours answers the first result again.',
        version: '0.1.0',
      },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      security: [{ token: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: (document) => describeAnswers(jsonSchemaTransformObject(document)),
  });
  app.addHook('onRoute', (route) => {
    if (route.schema?.hide || !route.url.startsWith('/api/')) return;
    const responses = route.schema?.response;
    route.schema = {
      ...route.schema,
      response: {
        ...(typeof responses === 'object' ? responses : {}),
        '4xx': errorBodySchema,
        '5xx': errorBodySchema,
      },
      ...(route.config?.public ? { security: [] } : {}),
      ...(route.config?.signedLinks ? { security: [{ token: [] }, {}] } : {}),
    };
  });
  app.get('/api/openapi.json', { config: { public: true }, schema: { hide: true } }, async () =>
    app.swagger(),
  );
  await app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, public: true };
    });
    // Its pages live under the content security policy of the product's own page.
    await docs.register(swaggerUi, {
      routePrefix: '/api/docs',
      uiConfig: { deepLinking: true },
    });
  });
}
