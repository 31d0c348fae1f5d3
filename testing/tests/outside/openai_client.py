"""What OpenAI's own package makes of the service: python openai_client.py BASE_URL KEY MODEL QUESTION EXPECTED"""

import asyncio
import sys

import openai

BASE, KEY, MODEL, QUESTION, EXPECTED = sys.argv[1:]
MESSAGES = [{"role": "user", "content": QUESTION}]
STREAMS = 50


def client(key=KEY):
    return openai.OpenAI(base_url=BASE, api_key=key, max_retries=0, timeout=120)


def refused(kind, code, param=None, key=KEY, **changes):
    request = {"model": MODEL, "messages": MESSAGES} | changes
    try:
        client(key).chat.completions.create(**request)
    except kind as error:
        assert (error.code, error.param) == (code, param), (error.code, error.param)
        assert error.message, error
    else:
        raise AssertionError(f"{changes} was not refused")


def models():
    listed = [model.id for model in client().models.list()]
    assert listed == [MODEL], listed
    assert client().models.retrieve(MODEL).id == MODEL


def whole():
    completion = client().chat.completions.create(model=MODEL, messages=MESSAGES, temperature=0.3, n=1)
    choice = completion.choices[0]
    assert choice.finish_reason == "stop" and choice.message.role == "assistant"
    assert EXPECTED in choice.message.content and "```sparql" in choice.message.content
    assert choice.message.reasoning_content
    assert completion.usage.total_tokens == completion.usage.prompt_tokens + completion.usage.completion_tokens


def taken_in(chunks):
    """The text of a stream whose chunks come in order."""
    text, kinds, usage = "", [], None
    for chunk in chunks:
        usage = chunk.usage or usage
        for choice in chunk.choices:
            delta = choice.delta
            if delta.role:
                kinds.append("role")
            if getattr(delta, "reasoning_content", None):
                kinds.append("step")
            if delta.content:
                kinds.append("text")
                text += delta.content
            if choice.finish_reason:
                kinds.append(choice.finish_reason)
    order = [kind for at, kind in enumerate(kinds) if at == 0 or kinds[at - 1] != kind]
    assert order == ["role", "step", "text", "stop"], order
    assert EXPECTED in text and "```sparql" in text, text
    return usage


def stream():
    options = {"include_usage": True}
    chunks = client().chat.completions.create(model=MODEL, messages=MESSAGES, stream=True, stream_options=options)
    assert taken_in(chunks) is not None


def helper():
    """The package's own way to put a stream together."""
    with client().chat.completions.stream(model=MODEL, messages=MESSAGES) as events:
        completion = events.get_final_completion()
    assert EXPECTED in completion.choices[0].message.content


async def many():
    async with openai.AsyncOpenAI(base_url=BASE, api_key=KEY, max_retries=0, timeout=300) as together:

        async def one(number):
            messages = [{"role": "user", "content": QUESTION + " " * number}]
            chunks = await together.chat.completions.create(model=MODEL, messages=messages, stream=True)
            taken_in([chunk async for chunk in chunks])

        await asyncio.gather(*(one(number) for number in range(STREAMS)))


def errors():
    refused(openai.AuthenticationError, "invalid_api_key", key="wrong")
    refused(openai.NotFoundError, "model_not_found", "model", model="nowhere")
    refused(openai.BadRequestError, "invalid_value", "n", n=2)
    refused(openai.BadRequestError, "invalid_value", "messages", messages=[])


models()
whole()
stream()
helper()
errors()
asyncio.run(many())
