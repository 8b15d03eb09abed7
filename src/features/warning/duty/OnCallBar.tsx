import { Button } from '@mantine/core';
import { IconPhone } from '@tabler/icons-react';
import { useState } from 'react';
import { stamp } from '#ui/display/RelativeTime.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { Can } from '#ui/api/Can.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getDutyList, updateDuty } from '#features/warning/duty/duty.contract.ts';
import { ReconcileLine } from '#features/warning/reconcile/ReconcileLine.tsx';
import classes from '#features/warning/warning.module.css';

const DutyDrawer = lazyDialog(() => import('#features/warning/duty/DutyDrawer.tsx').then((file) => file.DutyDrawer));
const CallListDrawer = lazyDialog(() => import('#features/warning/duty/CallListDrawer.tsx').then((file) => file.CallListDrawer));

/** A time as HH:MM:SS in China. */
const formatSeconds = (time: number) => `${stamp(time).slice(11)}:${String(new Date(time).getUTCSeconds()).padStart(2, '0')}`;

/** 今日值班: the staff on duty with their telephones, the time of the last refresh and the last 零漏报对账. */
export function OnCallBar({ checkedAt, failed }: { checkedAt: number; failed: boolean }) {
  const { data } = useActionQuery(getDutyList, {}, { quiet: true, every: 60_000 });
  const [isCalling, setIsCalling] = useState(false);
  const [isArranging, setIsArranging] = useState(false);
  const [line] = data?.hotlines ?? [];
  return (
    <section className={classes['duty']} aria-label="今日值班">
      <strong>今日值班</strong>
      {data && data.today.length === 0 && <span>未安排{data.standin && `，由${data.standin}值守`}</span>}
      {data?.today.map((person) => (
        <span key={person.userid}>
          {person.realname}
          {person.phonenumber && (
            <>
              {' '}
              <a href={`tel:${person.phonenumber}`}>
                <IconPhone size={14} aria-hidden style={{ verticalAlign: -2 }} /> {person.phonenumber}
              </a>
            </>
          )}
        </span>
      ))}
      {line && (
        <span>
          心理援助热线 <a href={`tel:${line.number}`}>{line.number}</a>（{line.hours}）
        </span>
      )}
      <span className={`${classes['quiet']} ${classes['spring']}`} role="status">
        {failed ? '连接中断，正在重试' : checkedAt ? `自动刷新 · ${formatSeconds(checkedAt)}` : '正在读取'}
      </span>
      {data !== undefined && data.calls > 0 && (
        <Button size="compact-sm" color="red" variant="light" onClick={() => setIsCalling(true)}>
          待拨 {data.calls}
        </Button>
      )}
      {data?.roster && (
        <Can call={updateDuty}>
          <Button size="compact-sm" variant="subtle" onClick={() => setIsArranging(true)}>
            值班安排
            {data.roster.gaps.length > 0 && `（${data.roster.gaps.length} 天未安排）`}
          </Button>
        </Can>
      )}
      {isCalling && <CallListDrawer onClose={() => setIsCalling(false)} />}
      {data?.reconcile && <ReconcileLine state={data.reconcile} />}
      {isArranging && data?.roster && <DutyDrawer roster={data.roster} onClose={() => setIsArranging(false)} />}
    </section>
  );
}
