import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const text = {
  summary: '近来有些疲惫，先照顾好休息。',
  factors: ['近来事情较多'],
  advice: ['每天固定时间起床', '睡前放下手机', '和信任的人聊聊近况'],
  talk: '最近辛苦了，想听听过得怎么样。',
};

/** Starts a provider of AI texts on this machine that gives one harmless text. Returns the settings of the server that asks it. */
export async function startAiProvider() {
  const answer = {
    id: 'req-1',
    choices: [{ message: { role: 'assistant', content: JSON.stringify(text) }, finish_reason: 'stop' }],
    usage: { total_tokens: 900 },
  };
  const provider = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const { port } = provider.address() as AddressInfo;
  return {
    env: { AI_BASE_URL: `http://127.0.0.1:${port}/v1`, AI_API_KEY: 'test', AI_MODEL: 'test', AI_PRIVATE_HOST: '1' },
    stop: () => {
      provider.closeAllConnections();
      provider.close();
    },
  };
}
