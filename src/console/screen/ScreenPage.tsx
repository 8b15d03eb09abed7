import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '#contract/apiError.ts';
import { openScreen } from '#features/bigscreen/screen.contract.ts';
import { logout } from '#features/session/session.contract.ts';
import { CodeEntry } from '#console/screen/CodeEntry.tsx';
import { callAsScreen, screenToken, setScreenToken } from '#console/screen/screenCall.ts';
import { useScreenData } from '#console/screen/useScreenData.ts';
import { useWakeLock } from '#console/screen/useWakeLock.ts';
import { Wall } from '#console/screen/Wall.tsx';

/** The part of the address that the console writes: a code, or `wait` while it asks for one. */
const WAIT = 'wait';
const codeOf = (hash: string): string => /^#(\d{10})$/.exec(hash)?.[1] ?? '';
const dropHash = () => history.replaceState(null, '', location.pathname);

/** Shows the figures when this browser has a screen, else asks for a code. A code in the address opens the screen at once. */
export function ScreenPage() {
  const [token, setToken] = useState(screenToken);
  const [isWaiting, setIsWaiting] = useState(location.hash === `#${WAIT}` || codeOf(location.hash) !== '');
  const [message, setMessage] = useState('');

  const open = useCallback(async (code: string) => {
    const before = screenToken();
    try {
      const answer = await callAsScreen(openScreen, { code });
      // The browser has one screen: the former one ends.
      if (before) await callAsScreen(logout, {}, before).catch(() => undefined);
      setScreenToken(answer.token);
      setToken(answer.token);
      setMessage('');
    } catch (error) {
      setMessage(error instanceof ApiError ? error.message : '没有打开，请再试一次');
    } finally {
      setIsWaiting(false);
    }
  }, []);

  useEffect(() => {
    const follow = () => {
      const code = codeOf(location.hash);
      if (code) {
        dropHash();
        void open(code);
      } else if (location.hash !== `#${WAIT}`) setIsWaiting(false);
    };
    follow();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [open]);

  const end = useCallback(() => {
    setScreenToken('');
    setToken('');
    setMessage('这块大屏已结束。需要继续显示时，请重新输入大屏码。');
  }, []);

  if (token) return <LiveWall key={token} token={token} onEnd={end} />;
  return <CodeEntry message={message} isWaiting={isWaiting} onCode={open} />;
}

function LiveWall({ token, onEnd }: { token: string; onEnd: () => void }) {
  const { data, isAway } = useScreenData(token, onEnd);
  useWakeLock();
  if (data) return <Wall data={data} isAway={isAway} />;
  return (
    <main className="notice" role="status">
      {isAway ? '连接中断，正在重连' : '正在读取数据…'}
    </main>
  );
}
