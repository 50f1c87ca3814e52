import type { FastifyInstance, RouteOptions } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { VERSION } from '#server/lib/version';
import { errorBodySchema } from '#shared/errors';
import { describeAnswers } from './describe-answers.ts';
import { zodFastify } from './zod-fastify.ts';

z.globalRegistry.add(errorBodySchema, { id: 'Error' });

/**
 * Documents every route registered after it: `GET /api/openapi.json`, and `/api/docs` to browse. Generated
 * from the schemas that validate, so the two cannot disagree; on the first request, since few ask and a start
 * should be quick.
 */
export function addDocs(app: FastifyInstance): void {
  const routes: Pick<RouteOptions, 'method' | 'url' | 'schema'>[] = [];
  let made: Promise<FastifyInstance> | undefined;
  const docs = () => {
    made ??= describe(routes);
    return made;
  };

  app.addHook('onRoute', ({ method, url, schema, config }) => {
    if (schema?.hide || method === 'HEAD') return;
    if (!url.startsWith('/api/')) return void routes.push({ method, url, schema });
    const responses = schema?.response;
    routes.push({
      method,
      url,
      schema: {
        ...schema,
        response: {
          ...(typeof responses === 'object' ? responses : {}),
          '4xx': errorBodySchema,
          '5xx': errorBodySchema,
        },
        ...(config?.public ? { security: [] } : {}),
        ...(config?.signedLinks ? { security: [{ token: [] }, {}] } : {}),
      },
    });
  });

  const open = { config: { public: true }, schema: { hide: true } };
  app.get('/api/openapi.json', open, async () => (await docs()).swagger());
  // These pages use the product page's content security policy.
  for (const url of ['/api/docs', '/api/docs/*'])
    app.get(url, open, async (request, reply) => {
      const page = await (await docs()).inject({ url: request.url, headers: request.headers });
      const { connection, date, 'transfer-encoding': _, ...headers } = page.headers;
      return reply.code(page.statusCode).headers(headers).send(page.rawPayload);
    });
}

/** A second server that never listens and has only the routes' names. */
async function describe(routes: readonly Pick<RouteOptions, 'method' | 'url' | 'schema'>[]) {
  const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
  ]);
  const described = zodFastify();
  await described.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Sigma',
        description:
          'Customer-care voice AI. Send the token of a sign-in as `Authorization: Bearer …`. POST routes that create ' +
          'from JSON accept an `Idempotency-Key`: the same key and body within 24 hours answers the first result again.',
        version: VERSION,
      },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      security: [{ token: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: (document) => describeAnswers(jsonSchemaTransformObject(document)),
  });
  for (const route of routes) described.route({ ...route, handler: async () => {} });
  await described.register(swaggerUi, { routePrefix: '/api/docs', uiConfig: { deepLinking: true } });
  await described.ready();
  return described;
}
