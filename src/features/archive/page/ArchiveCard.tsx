import { Anchor, Button, Group, Modal, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { archiveFieldsOf, type ArchiveValue } from '#domain/person/archive.ts';
import { archiveValueText } from '#domain/person/ownFields.ts';
import { ArchiveCloseReason, ArchiveStatus } from '#domain/person/archiveStates.ts';
import { datesDisagree } from '#domain/person/gestation.ts';
import { Appid } from '#domain/base/enums.ts';
import { Can } from '#ui/api/Can.tsx';
import { can } from '#ui/api/session.ts';
import { call } from '#ui/api/call.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import { EnumBadge } from '#ui/display/badges.tsx';
import { Facts, Section } from '#ui/display/Section.tsx';
import { notifyError } from '#ui/feedback/notify.ts';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { useLeave } from '#ui/form/useLeave.ts';
import { useOwnFields } from '#blocks/person/useOwnFields.ts';
import { revealCUser } from '#features/cuser/cuser.contract.ts';
import {
  deleteCUserArchive,
  getCUserArchive,
  getCUserArchivePageList,
  openCUserArchive,
} from '#features/archive/archive.contract.ts';
import type { PersonFile } from '#features/archive/page/personFile.ts';

type Archive = PersonFile['archives'][number];
const invalidates = [getCUserArchive, getCUserArchivePageList];
const STATUS_TONES = { 1: 'green', 2: 'gray' } as const;

/** One archive: its fields, and how it is closed and reopened. Sensitive fields appear after a reveal, which leaves a trace. */
export function ArchiveCard({
  archive,
  cuserid,
  musercode,
  isErased,
}: {
  archive: Archive;
  cuserid: string;
  musercode: string;
  /** the person was anonymised: nobody opens or closes the archive any more */
  isErased: boolean;
}) {
  const [revealed, setRevealed] = useState<Readonly<Record<string, ArchiveValue>>>();
  const [isClosing, setIsClosing] = useState(false);
  const values: Readonly<Record<string, ArchiveValue>> = { ...archive.fields, ...revealed };
  const own = useOwnFields(archive.appid, musercode);
  const fields = [...(archiveFieldsOf[archive.appid] ?? []).filter(({ code }) => code !== 'gradecode'), ...own];
  const hidden = fields.filter(({ code }) => archive.hidden.includes(code) && revealed?.[code] === undefined);
  const open = useActionMutation(openCUserArchive, {
    invalidates,
    successMessage: archive.canreopen === 1 ? '已恢复档案' : '已重新建档',
  });
  const isClosed = archive.status === ArchiveStatus.closed;
  return (
    <Section
      title={
        <Group gap="xs" component="span">
          <span>
            {Appid.label(archive.appid)}档案 {archive.archiveno}
          </span>
          <EnumBadge of={ArchiveStatus} code={archive.status as 1 | 2} tones={STATUS_TONES} />
        </Group>
      }
      right={
        archive.iscurrent === 1 &&
        !isErased && (
          <>
            {isClosed && (
              <Can call={openCUserArchive}>
                <Button variant="default" loading={open.isPending} onClick={() => open.mutate({ cuserid, appid: archive.appid })}>
                  {archive.canreopen === 1 ? '恢复档案' : '重新建档'}
                </Button>
              </Can>
            )}
            {!isClosed && (
              <Can call={deleteCUserArchive}>
                <Button variant="default" onClick={() => setIsClosing(true)}>
                  结束档案
                </Button>
              </Can>
            )}
          </>
        )
      }
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {archive.opendate} 建档
          {archive.closedate &&
            `，${archive.closedate} 结束（${ArchiveCloseReason.label(archive.closereason)}${archive.closenote ? `：${archive.closenote}` : ''}）`}
        </Text>
        {datesDisagree(archive.fields as { lmpdate?: string; edcdate?: string }) && (
          <Text size="sm" c="var(--level-3-ink, #8a4b00)">
            末次月经与预产期相差超过两周，孕周按预产期计算；请核对。
          </Text>
        )}
        <Facts
          facts={fields
            .filter(({ code }) => values[code] !== undefined)
            .map((field) => [field.title, archiveValueText(field, values[field.code]) || '—'])}
        />
        {hidden.length > 0 && (
          <Text size="sm">
            另有 {hidden.length} 项敏感资料：{hidden.map(({ title }) => title).join('、')}。
            {can(revealCUser) && archive.iscurrent === 1 && (
              <Anchor
                component="button"
                type="button"
                size="sm"
                onClick={() => {
                  call(revealCUser, { cuserid }).then(
                    (person) => setRevealed(person.archive as Record<string, ArchiveValue>),
                    notifyError,
                  );
                }}
              >
                查看（将留下查看记录）
              </Anchor>
            )}
          </Text>
        )}
      </Stack>
      {isClosing && <CloseDialog archive={archive} onClose={() => setIsClosing(false)} />}
    </Section>
  );
}

function CloseDialog({ archive, onClose }: { archive: Archive; onClose: () => void }) {
  const form = useActionForm(deleteCUserArchive, {
    initial: { archiveid: archive.archiveid },
    onDone: onClose,
    invalidates,
    successMessage: '档案已结束',
  });
  const leave = useLeave(form.dirty, onClose);
  return (
    <Modal opened onClose={leave} title={`结束档案 ${archive.archiveno}`} size="md">
      <form onSubmit={form.submit} ref={form.place} noValidate>
        <Stack gap="md">
          <Text size="sm">
            结束后不再列入待测名单，未用的测评次数退回机构；测评、报告和记录都保留。30 天内可以恢复，之后重新建档。
          </Text>
          <Radio.Group {...form.field('closereason')}>
            <Group gap="sm" mt={6}>
              {ArchiveCloseReason.options.map(({ value, label }) => (
                <Radio key={value} value={value} label={label} />
              ))}
            </Group>
          </Radio.Group>
          <Textarea
            {...form.field('closenote')}
            autosize
            minRows={2}
            maxLength={200}
            placeholder={form.values.closereason === ArchiveCloseReason.other ? '至少 5 个字' : '可以不填'}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              取消
            </Button>
            <Button type="submit" color="red" loading={form.busy}>
              结束档案
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
