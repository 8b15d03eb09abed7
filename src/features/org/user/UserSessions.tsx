import { Button, Drawer, Group, Stack } from '@mantine/core';
import { BoxedRow, BoxedRows } from '#ui/display/BoxedRows.tsx';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { Badge } from '#ui/display/badges.tsx';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { EmptyState, Loaded } from '#ui/feedback/states.tsx';
import { can, useUser } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { getSessionList, revokeSession, type UserRow } from '#features/org/user/user.contract.ts';

/** Lists the active sessions of a user; the caller can end them. */
export function UserSessions({ row, onClose }: { row: UserRow; onClose: () => void }) {
  const { userid } = useUser();
  const read = useActionQuery(getSessionList, { userid: row.userid });
  const end = useActionMutation(revokeSession, { invalidates: [getSessionList], successMessage: '已结束登录' });
  const canEnd = can(revokeSession) && (row.manageable || row.userid === userid);
  return (
    <Drawer opened onClose={onClose} title={`“${row.realname}”的登录设备`} size="min(520px, 100vw)">
      <Loaded read={read}>
        {(sessions) =>
          sessions.length === 0 ? (
            <EmptyState title="当前没有登录" />
          ) : (
            <Stack gap="sm">
              <BoxedRows label="登录设备">
                {sessions.map((session) => (
                  <BoxedRow
                    key={session.sessionid}
                    title={
                      <>
                        {session.device} {session.current && <Badge tone="green">本次登录</Badge>}{' '}
                        {session.loginas && <Badge tone="orange">代登录</Badge>}
                      </>
                    }
                    lines={[
                      `${session.ip || '未知地址'} · 登录于 ${session.createtime}`,
                      <>
                        最近使用 <RelativeTime at={session.lastseen} />
                      </>,
                    ]}
                  >
                    {canEnd && !session.current && (
                      <ConfirmButton
                        question={`结束这个登录？对方需要重新登录。`}
                        onConfirm={() => end.mutateAsync({ userid: row.userid, sessionid: session.sessionid })}
                      >
                        结束
                      </ConfirmButton>
                    )}
                  </BoxedRow>
                ))}
              </BoxedRows>
              {canEnd && row.userid !== userid && (
                <Group justify="flex-end">
                  <Button variant="light" color="red" loading={end.isPending} onClick={() => end.mutate({ userid: row.userid })}>
                    全部结束
                  </Button>
                </Group>
              )}
            </Stack>
          )
        }
      </Loaded>
    </Drawer>
  );
}
