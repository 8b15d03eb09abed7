import { Button } from '@mantine/core';
import { IconUserShield } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { accountName } from '#domain/tenant/access.ts';
import { useUser } from '#ui/api/session.ts';
import { leaveActing } from '#console/session.ts';
import classes from '../frame/Shell.module.css';

const clock = (seconds: number) =>
  `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
/** The console returns to the own account this long before the end, while the session is still valid. */
const MARGIN = 5;

/** The banner over every page while a person acts in another account: the account, the remaining time, and the way back. */
export function ActingBanner() {
  const user = useUser();
  const left = useSecondsLeft(user.loginasleft);
  const [busy, setBusy] = useState(false);
  const gone = useRef(false);
  const leave = () => {
    if (gone.current) return;
    gone.current = true;
    setBusy(true);
    void leaveActing();
  };
  const over = left <= MARGIN;
  useEffect(() => {
    if (over) leave();
  }, [over]);
  const name = [user.insname, user.userid === null ? '' : user.realname || accountName(user)].filter(Boolean).join(' · ');
  return (
    <div className={classes['acting']} role="region" aria-label="代登录">
      <IconUserShield size={18} aria-hidden />
      <span className={classes['actingname']}>
        正以 <b>{name}</b> 的身份操作<span className={classes['actingwho']}>（{user.loginasby} 代登录，全程留痕）</span>
      </span>
      <span className={classes['actingclock']} role="timer" aria-label="剩余时间">
        剩余 {clock(left)}
      </span>
      <Button size="compact-sm" variant="white" color="dark" style={{ flex: 'none' }} loading={busy} onClick={leave}>
        退出代登录
      </Button>
    </div>
  );
}

/** Counts down from the server's value, with a clock that a change of the computer's time does not affect. */
function useSecondsLeft(toldCount: number): number {
  const [left, setLeft] = useState(toldCount);
  useEffect(() => {
    const began = performance.now();
    const timer = setInterval(() => setLeft(Math.max(0, toldCount - Math.floor((performance.now() - began) / 1000))), 1000);
    return () => clearInterval(timer);
  }, [toldCount]);
  return left;
}
