import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { BoxedRow, BoxedRows } from '#ui/display/BoxedRows.tsx';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { endMySession } from '#features/account/profile.contract.ts';
import { getScreenList, insertScreenCode, SCREEN_DAYS } from '#features/bigscreen/screen.contract.ts';

/** 1234567890 as 12345 67890. */
const inGroups = (code: string): string => `${code.slice(0, 5)} ${code.slice(5)}`;

/** 数据大屏: opens one on a display, and ends those that are open. */
export function ScreensPanel() {
  const screens = useActionQuery(getScreenList, {});
  const end = useActionMutation(endMySession, { invalidates: [getScreenList], successMessage: '大屏已结束' });
  return (
    <PageStack>
      <Section title="打开大屏">
        <NewScreen />
      </Section>
      <Section title="已打开的大屏">
        <Loaded read={screens} skeleton={<Skeletons.Lines count={3} />}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState title="还没有打开的大屏" />
            ) : (
              <BoxedRows label="已打开的大屏">
                {rows.map((row) => (
                  <BoxedRow
                    key={row.sessionid}
                    title={row.screenname}
                    lines={[
                      [row.device, row.ip, row.place].filter(Boolean).join(' · '),
                      <>
                        打开于 {row.createtime.slice(0, 16)}，最近更新 <RelativeTime at={row.lastseen} />，
                        {row.expiretime.slice(0, 10)} 到期
                      </>,
                    ]}
                  >
                    <ConfirmButton
                      question={`结束“${row.screenname}”？它会在一分钟内停止显示。`}
                      onConfirm={() => end.mutateAsync({ sessionid: row.sessionid })}
                    >
                      结束
                    </ConfirmButton>
                  </BoxedRow>
                ))}
              </BoxedRows>
            )
          }
        </Loaded>
      </Section>
    </PageStack>
  );
}

/** Makes a code for a display. This browser may be the display, too. */
function NewScreen() {
  const [screenname, setScreenname] = useState('');
  const make = useActionMutation(insertScreenCode);
  return (
    <Stack gap="md">
      <Text size="sm">
        大屏只显示汇总数据，不显示任何个人信息，也不能做其他操作。打开后 {SCREEN_DAYS}{' '}
        天有效；修改密码、账号停用或没有权限时自动结束。
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate({ screenname });
        }}
      >
        <Group align="end">
          <TextInput
            label="大屏名称"
            placeholder="如：一楼大厅电视"
            maxLength={30}
            value={screenname}
            onChange={(event) => setScreenname(event.currentTarget.value)}
            style={{ flex: '1 1 220px', maxWidth: 360 }}
          />
          <Button type="submit" loading={make.isPending} disabled={screenname.trim() === ''}>
            生成大屏码
          </Button>
        </Group>
      </form>
      {make.data && (
        <Stack gap="xs" role="status">
          <Text size="sm">
            在电视或大屏的浏览器打开 <Code>{`${location.origin}/screen`}</Code>，输入大屏码：
          </Text>
          <Text fz={32} fw={600} style={{ letterSpacing: '0.08em', fontVariantNumeric: 'tabular-nums' }}>
            {inGroups(make.data.code)}
          </Text>
          <Text size="sm" c="dimmed">
            {make.data.minutes} 分钟内有效，只能用一次。
          </Text>
          <Group>
            <Button component="a" variant="default" href={`/screen#${make.data.code}`} target="_blank" rel="noopener">
              在本机新标签打开
            </Button>
          </Group>
        </Stack>
      )}
    </Stack>
  );
}
