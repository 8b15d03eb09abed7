import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { ResponseOf } from '#contract/action.ts';
import { can, useUser } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { SwitchField } from '#ui/form/fields.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { Link } from '#ui/router/router.tsx';
import { getProfile } from '#features/account/profile.contract.ts';
import { getChannels } from '#features/notice/channel/channel.contract.ts';
import { getNoticePageList, getQuietHours, getUnreadCount, updateQuietHours } from '#features/notice/notice.contract.ts';

/** 消息提醒: the quiet hours of the account, its mail address, and the way to the channels of the institution. */
export function NoticePanel() {
  const read = useActionQuery(getQuietHours, {});
  const user = useUser();
  const profile = useActionQuery(getProfile, user.userid === null ? undefined : {}, { quiet: true }).data;
  return (
    <PageStack>
      <Section title="免打扰时段">
        <Text size="sm" c="dimmed" mb="md">
          时段内，不紧急的消息不在铃铛上计数，也不发邮件，时段结束后再提醒。级别较高的预警、涉及自伤的预警随时提醒，不受影响。
        </Text>
        <Loaded read={read} skeleton={<Skeletons.Lines count={3} />}>
          {(hours) => <QuietForm hours={hours} />}
        </Loaded>
      </Section>
      <Section title="邮件提醒">
        <Text size="sm">
          {user.userid === null
            ? '本账号的消息发往机构公共邮箱。'
            : profile?.email
              ? `机构启用邮件后，新消息发往 ${profile.email}。邮件不含姓名和测评结果。`
              : '您还没有填写邮箱，机构启用邮件后收不到邮件提醒。'}
        </Text>
        <Group gap="md" mt="sm" fz="sm">
          {user.userid !== null && <Link to="/profile">{profile?.email ? '修改邮箱' : '填写邮箱'}</Link>}
          {can(getChannels) && <Link to="/noticeChannels">机构的通知通道</Link>}
        </Group>
      </Section>
    </PageStack>
  );
}

function QuietForm({ hours }: { hours: ResponseOf<typeof getQuietHours> }) {
  const form = useActionForm(updateQuietHours, {
    initial: hours,
    invalidates: [getQuietHours, getUnreadCount, getNoticePageList],
  });
  return (
    <form ref={form.place} onSubmit={form.submit} noValidate>
      <Stack gap="md" maw={420}>
        <SwitchField {...form.field('ison')} label="" words="启用免打扰" />
        {Number(form.values.ison) === 1 && (
          <Group grow align="flex-start">
            <TextInput {...form.field('quietfrom')} type="time" />
            <TextInput {...form.field('quietuntil')} type="time" />
          </Group>
        )}
        <Group>
          <Button type="submit" loading={form.busy} disabled={!form.dirty}>
            保存
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
