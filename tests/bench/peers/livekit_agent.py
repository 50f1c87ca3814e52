"""An agent as LiveKit's own quickstart makes one, with the settings it has by default: Silero and LiveKit's turn detector
(turn-detector-v1-mini, what it is without LiveKit Cloud), whose weights its packages bring, and answers thought ahead. Joins
every room of the server that LIVEKIT_URL names. PEER_SPEECH_URL and PEER_CHAT_URL are where ears, voice and language model are.
"""

import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")

from livekit.agents import (
    Agent,
    AgentServer,
    AgentSession,
    ConversationItemAddedEvent,
    JobContext,
    cli,
)
from livekit.plugins import openai

speech = os.environ["PEER_SPEECH_URL"]
chat = os.environ["PEER_CHAT_URL"]

# A machine that is measured is busy: by default an agent then takes no further call.
server = AgentServer(load_fnc=lambda *_: 0.0, port=int(os.environ["PEER_PORT"]))


@server.rtc_session()
async def talk(context: JobContext) -> None:
    session = AgentSession(
        stt=openai.STT(model="whisper-1", base_url=speech, api_key="none"),
        llm=openai.LLM(model="fixed", base_url=chat, api_key="none"),
        # Its default is MP3, which comes by the sentence; PCM comes in pieces, and needs no decoder.
        tts=openai.TTS(
            model="tts-1", voice="alloy", base_url=speech, api_key="none", response_format="pcm"
        ),
    )

    @session.on("conversation_item_added")
    def on_item(event: ConversationItemAddedEvent) -> None:
        metrics = getattr(event.item, "metrics", None) or {}
        if getattr(event.item, "role", None) == "user" and "end_of_turn_delay" in metrics:
            print(f"taken {metrics['stopped_speaking_at'] + metrics['end_of_turn_delay']}", flush=True)

    await session.start(
        agent=Agent(instructions="You answer the customers of a shop."), room=context.room
    )


if __name__ == "__main__":
    cli.run_app(server)
