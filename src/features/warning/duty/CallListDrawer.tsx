import { Badge, Button, Drawer } from '@mantine/core';
import { IconPhone } from '@tabler/icons-react';
import { NOTICE_CHANNELS } from '#domain/warning/notices.ts';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { EmptyState, Loaded } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { ackCall, getCallList } from '#features/warning/duty/calllist.contract.ts';
import { getDutyList } from '#features/warning/duty/duty.contract.ts';
import classes from './DutyDrawer.module.css';

/** 待拨清单: the colleagues to call or write by hand, each with what to say and a button to acknowledge. */
export function CallListDrawer({ onClose }: { onClose: () => void }) {
  const list = useActionQuery(getCallList, {}, { every: 30_000, quiet: true });
  const acknowledge = useActionMutation(ackCall, { invalidates: [getCallList, getDutyList], successMessage: '已记录' });
  return (
    <Drawer opened onClose={onClose} title="待拨清单" position="right" size={520}>
      <p className={classes['hint']}>
        请逐一联系以下同事，只说“有预警待处理，请登录”，不要在电话或短信里提到姓名和情况。对方查看后会自动消失。
      </p>
      <Loaded read={list}>
        {(calls) =>
          calls.length === 0 ? (
            <EmptyState title="没有待联系的同事" />
          ) : (
            <ul className={classes['calls']}>
              {calls.map((call) => (
                <li key={call.callids.join()} className={classes['call']}>
                  <div>
                    <strong>{call.realname}</strong>{' '}
                    <Badge color={call.kind === 'call' ? 'red' : 'gray'} variant="light">
                      {NOTICE_CHANNELS[call.kind]}
                    </Badge>
                    <div>
                      {call.phonenumber ? (
                        <a href={`${call.kind === 'call' ? 'tel' : 'sms'}:${call.phonenumber}`}>
                          <IconPhone size={14} aria-hidden style={{ verticalAlign: -2 }} /> {call.phonenumber}
                        </a>
                      ) : (
                        '未登记电话，请用其他方式联系'
                      )}
                    </div>
                    <small>
                      {call.insname} · {call.warningcodes.length} 个预警待查看 · <RelativeTime at={call.createtime} />
                    </small>
                  </div>
                  <Button
                    size="compact-md"
                    variant="light"
                    aria-label={`已联系 ${call.realname}（${NOTICE_CHANNELS[call.kind]}）`}
                    loading={acknowledge.isPending && acknowledge.variables.callids === call.callids}
                    onClick={() => acknowledge.mutate({ callids: call.callids })}
                  >
                    已联系
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Drawer>
  );
}
