import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';

/** A Fastify with zod schemas. */
export function zodFastify(options: FastifyServerOptions = {}): FastifyInstance {
  const app = Fastify({
    ...options,
    schemaController: {
      compilersFactory: { buildValidator: noOtherCompiler, buildSerializer: noOtherCompiler },
    },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  return app;
}

/** zod validates and serialises; without this, Fastify loads 90 files of its own compilers. */
const noOtherCompiler = () => {
  throw new Error('Only zod compiles schemas.');
};
