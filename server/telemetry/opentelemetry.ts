import { type Context, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { withoutTrailingSlashes } from '#server/lib/trailing-slashes';
import { within } from '#server/lib/wait';
import type { TurnStory } from '#server/telemetry/timeline';

interface TracesOptions {
  /** Base address of a collector that takes OTLP over HTTP, such as http://127.0.0.1:4318 */
  endpoint: string;
  serviceName: string;
  /** Told when the collector does not take what it is sent, and again only after it has taken something. */
  onFailure(error: unknown): void;
  /** How long spans are gathered before they are sent, in milliseconds. */
  gatherMs?: number;
  /** How long the collector may take for what it is sent, in milliseconds. */
  sendMs?: number;
}

export interface Traces {
  /** Makes one trace of a turn that has ended. It is sent in the background; where nobody takes it, it is dropped. */
  turn(story: TurnStory): void;
  /** Sends what was gathered, for a moment at most. */
  close(): Promise<void>;
}

const GATHER_MS = 2_000;
const SEND_MS = 5_000;
const LAST_MS = 1_500;
/** `ExportResultCode` of OpenTelemetry, which only a package of its own exports. */
const FAILED = 1;
/** Beyond it, what comes is dropped: some hundred turns while nobody takes them. */
const MAX_GATHERED = 4_096;
/** What the dialogue does within its own step. */
const WITHIN_DIALOGUE: readonly string[] = ['search', 'reading', 'language model'];

/**
 * Traces for OpenTelemetry, by a provider of its own. Headers, such as a key for the collector, are read by the library from
 * OTEL_EXPORTER_OTLP_HEADERS. The only file that sees the library.
 */
export function openTraces({
  endpoint,
  serviceName,
  onFailure,
  gatherMs = GATHER_MS,
  sendMs = SEND_MS,
}: TracesOptions): Traces {
  const open = () =>
    new OTLPTraceExporter({
      url: `${withoutTrailingSlashes(endpoint)}/v1/traces`,
      timeoutMillis: sendMs,
    });
  const processor = new BatchSpanProcessor(tellingOnce(open, sendMs, onFailure), {
    scheduledDelayMillis: gatherMs,
    exportTimeoutMillis: 2 * sendMs,
    maxQueueSize: MAX_GATHERED,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('sigma');

  return {
    turn(story) {
      const { steps, askedAt, endedAt, outcome } = story;
      const startedAt = Math.min(askedAt, ...steps.map((step) => step.startedAt));
      const root = tracer.startSpan('turn', {
        kind: SpanKind.SERVER,
        startTime: epoch(startedAt),
        attributes: attributesOf(story),
      });
      const inside = (span: Span) => trace.setSpan(context.active(), span);
      const dialogues = steps
        .filter(({ name }) => name === 'dialogue')
        .map((step) => ({ step, span: spanOf(step, inside(root)) }));
      for (const step of steps) {
        if (step.name === 'dialogue') continue;
        const around = WITHIN_DIALOGUE.includes(step.name)
          ? dialogues.find(
              ({ step: { startedAt, endedAt } }) => startedAt <= step.startedAt && step.endedAt <= endedAt,
            )
          : undefined;
        spanOf(step, inside(around?.span ?? root));
      }
      if (outcome === 'failed') root.setStatus({ code: SpanStatusCode.ERROR });
      root.end(epoch(endedAt));
    },
    async close() {
      await within(
        LAST_MS,
        provider.shutdown().catch(() => {}),
      );
    },
  };

  function spanOf({ name, startedAt, endedAt, failed }: TurnStory['steps'][number], parent: Context): Span {
    const span = tracer.startSpan(name, { startTime: epoch(startedAt) }, parent);
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(epoch(endedAt));
    return span;
  }
}

/** Ids, counts and times: what was said is in none of them. */
const attributesOf = (story: TurnStory) => ({
  'sigma.turn.kind': story.kind,
  'sigma.turn.outcome': story.outcome,
  'sigma.turn.sentences': story.sentences,
  'sigma.conversation.id': story.conversationId,
  'sigma.message.id': story.messageId,
  'sigma.response.id': story.responseId,
  ...after('sigma.turn.first_text_ms', story.askedAt, story.firstTextAt),
  ...after('sigma.turn.first_sound_ms', story.askedAt, story.firstSoundAt),
});

const after = (name: string, from: number, at: number | null) =>
  at === null ? {} : { [name]: Math.round(at - from) };

/** Milliseconds since 1970 of a time by `performance.now()`. */
const epoch = (at: number) => performance.timeOrigin + at;

/**
 * Tells of the first failure of several. The exporter's own clock starts anew with each byte that comes, and an answer that is none
 * keeps one of its few places for ever: one that takes too long is given up, and another takes its place.
 */
function tellingOnce(
  open: () => SpanExporter,
  sendMs: number,
  onFailure: (error: unknown) => void,
): SpanExporter {
  let exporter = open();
  let isAway = false;
  return {
    export(spans, done) {
      let isOver = false;
      const finish: typeof done = (result) => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        const failed = result.error !== undefined;
        if (failed && !isAway) onFailure(result.error);
        isAway = failed;
        done(result);
      };
      const timer = setTimeout(() => {
        exporter.shutdown().catch(() => {});
        exporter = open();
        finish({ code: FAILED, error: new Error('The collector did not come to an answer.') });
      }, sendMs);
      exporter.export(spans, finish);
    },
    shutdown: () => exporter.shutdown(),
  };
}
