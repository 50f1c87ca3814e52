import { LlamaProcess } from '#server/engines/language/own/llama-process';

// A program that starts a model and does nothing else.
const [, , program = '', file = ''] = process.argv;
await new LlamaProcess(() => {}).load(program, { file, name: 'model', threads: 1 });
process.stdout.write('loaded\n');
