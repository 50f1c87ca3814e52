"""A voice bot as Pipecat's own template makes one (`pipecat init`): Silero and Smart Turn, whose weights its package brings,
with the settings it has by default. A process for each call, as its deployment guide has it. Speaks raw PCM over a WebSocket:
16 kHz in, 24 kHz out. Arguments: port, address of the ears and the voice, address of the language model.
"""

import asyncio
import os
import sys
import time

os.environ.setdefault("HF_HUB_OFFLINE", "1")

from loguru import logger

logger.remove()
logger.add(sys.stderr, level=os.environ.get("PEER_LOG_LEVEL", "WARNING"))

from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.frames.frames import Frame, InputAudioRawFrame, OutputAudioRawFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import (
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.serializers.base_serializer import FrameSerializer
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.services.openai.stt import OpenAISTTService
from pipecat.services.openai.tts import OpenAITTSService
from pipecat.transports.websocket.server import (
    SingleClientWebsocketServerParams,
    SingleClientWebsocketServerTransport,
)
from pipecat.workers.runner import WorkerRunner

HEARS_AT = 16_000


class Pcm(FrameSerializer):
    """Sound as it is; its own format for browsers puts Protobuf around it."""

    async def serialize(self, frame: Frame) -> bytes | None:
        return frame.audio if isinstance(frame, OutputAudioRawFrame) else None

    async def deserialize(self, data: str | bytes) -> Frame | None:
        if isinstance(data, str):
            return None
        return InputAudioRawFrame(audio=data, sample_rate=HEARS_AT, num_channels=1)


async def main(port: int, speech: str, chat: str) -> None:
    transport = SingleClientWebsocketServerTransport(
        host="127.0.0.1",
        port=port,
        params=SingleClientWebsocketServerParams(
            audio_in_enabled=True, audio_out_enabled=True, serializer=Pcm()
        ),
    )
    stt = OpenAISTTService(
        api_key="none", base_url=speech, settings=OpenAISTTService.Settings(model="whisper-1")
    )
    llm = OpenAILLMService(
        api_key="none",
        base_url=chat,
        settings=OpenAILLMService.Settings(
            model="fixed", system_instruction="You answer the customers of a shop."
        ),
    )
    tts = OpenAITTSService(
        api_key="none",
        base_url=speech,
        settings=OpenAITTSService.Settings(model="tts-1", voice="alloy"),
    )
    user, assistant = LLMContextAggregatorPair(
        LLMContext(),
        user_params=LLMUserAggregatorParams(vad_analyzer=SileroVADAnalyzer()),
    )
    worker = PipelineWorker(
        Pipeline([transport.input(), stt, user, llm, tts, transport.output(), assistant]),
        params=PipelineParams(enable_metrics=True, enable_usage_metrics=True),
        cancel_on_idle_timeout=False,
    )

    @user.event_handler("on_user_turn_stopped")
    async def on_turn_stopped(_aggregator, _strategy, _message):
        print(f"taken {time.time()}", flush=True)

    @transport.event_handler("on_websocket_ready")
    async def on_ready(_transport):
        print("ready", flush=True)

    runner = WorkerRunner()
    await runner.add_workers(worker)
    await runner.run()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], sys.argv[3]))
