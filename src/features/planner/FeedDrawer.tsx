import { Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { KEEP_OPEN, ShownOnce } from '#ui/feedback/ShownOnce.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { confirm } from '#ui/feedback/confirm.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useFocusBack } from '#ui/feedback/useFocusBack.ts';
import { createCalendarFeed, deleteCalendarFeed, getCalendarFeed } from '#features/planner/planner.contract.ts';

/** 订阅到手机日历: makes, shows once and ends the address of the own calendar. */
export function FeedDrawer({ onClose }: { onClose: () => void }) {
  useFocusBack();
  const read = useActionQuery(getCalendarFeed, {});
  const [url, setUrl] = useState<string>();
  const create = useActionMutation(createCalendarFeed, {
    invalidates: [getCalendarFeed],
    successMessage: '地址已生成',
    onDone: (made) => setUrl(made.url),
  });
  const end = useActionMutation(deleteCalendarFeed, {
    invalidates: [getCalendarFeed],
    successMessage: '地址已停用',
    onDone: () => setUrl(undefined),
  });
  const renew = async () => {
    if (await confirm({ text: '生成新地址后，旧地址立即失效，手机上要重新订阅。是否继续？' })) create.mutate({});
  };
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="min(480px, 100vw)"
      title="订阅到手机日历"
      closeButtonProps={{ 'aria-label': '关闭' }}
      {...(url !== undefined && KEEP_OPEN)}
    >
      <Stack gap="md">
        <Text>把下面的地址加到手机或邮箱的日历里，随访、咨询和个案时限会自动出现，每小时更新。</Text>
        <Text c="dimmed" size="sm">
          日历里只写“随访”“咨询”“时限”，不写姓名、机构和等级。知道地址的人就能看到时间，请不要转发；手机丢失时请停用。
        </Text>
        <Loaded read={read} skeleton={<Skeletons.Page />}>
          {(feed) => (
            <>
              {url && <ShownOnce label="订阅地址" noun="地址" value={url} />}
              {feed && (
                <Text size="sm">
                  生成于 {feed.createtime}
                  {feed.lasttime ? `，最近一次读取 ${feed.lasttime}` : '，还没有日历读取过'}
                </Text>
              )}
              <Group>
                {!feed && (
                  <Button loading={create.isPending} onClick={() => create.mutate({})}>
                    生成地址
                  </Button>
                )}
                {feed && (
                  <>
                    <Button variant="default" loading={create.isPending} onClick={() => void renew()}>
                      换一个新地址
                    </Button>
                    <Button variant="default" color="red" loading={end.isPending} onClick={() => end.mutate({})}>
                      停用地址
                    </Button>
                  </>
                )}
              </Group>
            </>
          )}
        </Loaded>
      </Stack>
    </Drawer>
  );
}
