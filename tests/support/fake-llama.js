// A scripted llama-server: takes the real one's arguments, and the model's file determines its behaviour.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import process from 'node:process';

const args = process.argv.slice(2);
const print = (to, line) => to.write(`${line}\n`);
const option = (name) => args[args.indexOf(name) + 1];
const key = readFileSync(option('--api-key-file'), 'utf8').trim();
const model = option('--model');
const text = readFileSync(model, 'utf8');
if (!text.startsWith('GGUF')) {
  print(process.stderr, "gguf_init_from_file_impl: invalid magic characters: 'abcd', expected 'GGUF'");
  process.exit(1);
}
if (text.includes('half')) {
  print(
    process.stderr,
    "llama_model_load: error loading model: tensor 'x' data is not within the file bounds, model is corrupted or incomplete",
  );
  process.exit(1);
}
// Records how it was started, for the test.
writeFileSync(`${model}.started`, JSON.stringify({ pid: process.pid, env: process.env, args, key }));

const server = createServer((request, response) => {
  if (request.url === '/health') return response.end('{"status":"ok"}');
  if (request.headers.authorization !== `Bearer ${key}`) return response.writeHead(401).end('{}');
  if (text.includes('crashes')) process.exit(3);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const piece = (delta, finish_reason = null) =>
    response.write(`data: ${JSON.stringify({ id: '1', choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
  piece({ role: 'assistant', content: 'Within 45 ' });
  piece({ content: 'days.' });
  piece({}, 'stop');
  response.end('data: [DONE]\n\n');
});
server.listen(Number(option('--port')), option('--host'), () => {
  print(process.stdout, `srv  llama_server: listening on http://127.0.0.1:${server.address().port}`);
});
