import { type Context, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { withoutTrailingSlashes } from '#server/lib/trailing-slashes';
import { within } from '#server/lib/wait';
import type { TurnStory } from '#server/telemetry/timeline';

interface TracesOptions {
  /** Base address of an OTLP/HTTP collector, such as http://127.0.0.1:4318 */
  endpoint: string;
  serviceName: string;
  /** Called when the collector fails, and again only after a success in between. */
  onFailure(error: unknown): void;
  /** How long spans are collected before they are sent, in milliseconds. */
  gatherMs?: number;
  /** Timeout of the collector's answer, in milliseconds. */
  sendMs?: number;
}

export interface Traces {
  /**
   * Creates one trace of an ended turn and sends it in the background; dropped if the collector does not
   * accept it.
   */
  turn(story: TurnStory): void;
  /** Sends what was collected, within a short time. */
  close(): Promise<void>;
}

const GATHER_MS = 2_000;
const SEND_MS = 5_000;
const LAST_MS = 1_500;
/** `ExportResultCode` of OpenTelemetry, which only a separate package exports. */
const FAILED = 1;
/** Further spans are dropped: some hundred turns while the collector is away. */
const MAX_GATHERED = 4_096;
/** Steps inside the dialogue's own step. */
const WITHIN_DIALOGUE: readonly string[] = ['search', 'reading', 'language model'];

/**
 * Traces for OpenTelemetry, by a provider of its own. The library reads headers, such as a key for the
 * collector, from OTEL_EXPORTER_OTLP_HEADERS. The only file that uses the library.
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

/** Ids, counts and times only, never words. */
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
 * Reports only the first of several failures. The exporter's own timeout restarts with each byte, and an
 * answer that never ends would keep one of its few places for ever: one that takes too long is abandoned and
 * replaced.
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
