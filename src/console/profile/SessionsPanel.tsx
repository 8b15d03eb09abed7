import { Button, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { BoxedRow, BoxedRows } from '#ui/display/BoxedRows.tsx';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { Badge } from '#ui/display/badges.tsx';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { SignInBadge } from '#features/audit/login/SignInBadge.tsx';
import { endMySession, getMySessions } from '#features/account/profile.contract.ts';

const where = ({ ip, place }: { ip: string; place: string }): ReactNode => [ip, place].filter(Boolean).join(' · ') || '未知地址';

/** The account's open sessions and its last sign-ins. */
export function SessionsPanel() {
  const read = useActionQuery(getMySessions, {});
  const end = useActionMutation(endMySession, { invalidates: [getMySessions], successMessage: '已结束登录' });
  const others = async () => {
    if (await confirm('结束其他所有登录？那些设备需要重新登录，本次登录不受影响。')) end.mutate({});
  };
  return (
    <Loaded read={read} skeleton={<Skeletons.Lines count={6} />}>
      {({ sessions, logins }) => (
        <PageStack>
          <Section
            title="正在登录的设备"
            right={
              sessions.length > 1 && (
                <Button variant="light" color="red" size="compact-sm" loading={end.isPending} onClick={() => void others()}>
                  结束其他所有登录
                </Button>
              )
            }
          >
            <BoxedRows label="正在登录的设备">
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
                    where(session),
                    <>
                      登录于 {session.createtime}，最近使用 <RelativeTime at={session.lastseen} />
                    </>,
                  ]}
                >
                  {!session.current && (
                    <ConfirmButton
                      question="结束这个登录？该设备需要重新登录。"
                      onConfirm={() => end.mutateAsync({ sessionid: session.sessionid })}
                    >
                      结束
                    </ConfirmButton>
                  )}
                </BoxedRow>
              ))}
            </BoxedRows>
          </Section>
          <Section title="登录日志">
            {logins.length === 0 ? (
              <EmptyState title="还没有登录过" />
            ) : (
              <Table.ScrollContainer minWidth={560}>
                <Table verticalSpacing="xs" aria-label="登录日志">
                  <Table.Thead>
                    <Table.Tr>
                      {['时间', '结果', '设备', '地址'].map((head) => (
                        <Table.Th key={head}>{head}</Table.Th>
                      ))}
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {logins.map((login) => (
                      <Table.Tr key={login.id}>
                        <Table.Td>{login.time}</Table.Td>
                        <Table.Td>
                          <SignInBadge login={login} />
                        </Table.Td>
                        <Table.Td>{login.device}</Table.Td>
                        <Table.Td>{where(login)}</Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
            )}
            <Text size="xs" c="dimmed" mt="sm">
              这里是最近 20 次登录。发现不是您本人的登录，请立即修改密码并设置二次验证。
            </Text>
          </Section>
        </PageStack>
      )}
    </Loaded>
  );
}
