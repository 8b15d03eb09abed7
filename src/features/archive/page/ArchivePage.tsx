import { Button, Group, Text } from '@mantine/core';
import { IconStarFilled } from '@tabler/icons-react';
import { useState } from 'react';
import { Appid, Gender, MentalState } from '#domain/base/enums.ts';
import { Can } from '#ui/api/Can.tsx';
import { call } from '#ui/api/call.ts';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Badge, EnumBadge, WarningBadge } from '#ui/display/badges.tsx';
import { PersonName } from '#ui/display/PersonName.tsx';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { Facts, PageStack, Section } from '#ui/display/Section.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { Link, useSearchParams } from '#ui/router/router.tsx';
import { FhirButton } from '#blocks/export/FhirButton.tsx';
import { EntryButton } from '#blocks/staffexam/EntryButton.tsx';
import { exportPersonCopy } from '#features/anonymize/anonymize.contract.ts';
import { getPersonTrail } from '#features/audit/audit.contract.ts';
import { revealCUser, updateCUser } from '#features/cuser/cuser.contract.ts';
import { exportBundle } from '#features/fhir/fhir.contract.ts';
import { getPHQ9ChartsData } from '#features/trend/trend.contract.ts';
import { mergeCUser } from '#features/merge/merge.contract.ts';
import { AnonymizeNote } from '#blocks/person/AnonymizeNote.tsx';
import { HoldNote } from '#features/archive/page/HoldNote.tsx';
import { MergeNotes } from '#blocks/person/MergeNotes.tsx';
import { getCUserArchive } from '#features/archive/archive.contract.ts';
import { ArchiveCard } from '#features/archive/page/ArchiveCard.tsx';
import { CopyButton } from '#features/archive/page/CopyButton.tsx';
import { Consents } from '#features/archive/page/Consents.tsx';
import { ErasureReceipt } from '#features/archive/page/ErasureReceipt.tsx';
import type { PersonFile } from '#features/archive/page/personFile.ts';
import { PersonTimeline } from '#features/archive/page/PersonTimeline.tsx';
import { PersonTrend } from '#features/archive/page/PersonTrend.tsx';

const PersonDrawer = lazyDialog(() => import('#blocks/person/PersonDrawer.tsx').then((file) => file.PersonDrawer));
const GrantsDrawer = lazyDialog(() => import('#blocks/person/GrantsDrawer.tsx').then((file) => file.GrantsDrawer));

const MoveSheetDrawer = lazyDialog(() => import('#blocks/person/MoveSheetDrawer.tsx').then((file) => file.MoveSheetDrawer));

const MergeDrawer = lazyDialog(() => import('#blocks/person/MergeDrawer.tsx').then((file) => file.MergeDrawer));
const STATE_TONES = { 1: 'green', 2: 'lime', 3: 'orange', 4: 'red' } as const;
const RELATIONS: Readonly<Record<string, string>> = { '01': '父亲', '02': '母亲', '03': '其他监护人' };

/** The page of one person: who it is, the archives of all populations, guardians, consents, what happened, and the scores. */
export default function ArchivePage() {
  const [params] = useSearchParams();
  const cuserid = params.get('cuserid') ?? '';
  const read = useActionQuery(getCUserArchive, cuserid ? { cuserid } : undefined, { quiet: true });
  if (!cuserid) return <EmptyState title="请从档案列表进入" hint="地址里缺少受测者编号" />;
  return (
    <Loaded read={read} skeleton={<Skeletons.Page />}>
      {(file) => <FilePage file={file} />}
    </Loaded>
  );
}

function FilePage({ file }: { file: PersonFile }) {
  const [isEditing, setIsEditing] = useState(false);
  const [isGranting, setIsGranting] = useState(false);
  const [isMoving, setIsMoving] = useState(false);
  const [isMerging, setIsMerging] = useState(false);
  const { cuser, archives, guardians } = file;
  return (
    <PageStack>
      {cuser.anonymized === 0 && <AnonymizeNote cuserid={cuser.cuserid} invalidates={[getCUserArchive]} />}
      {cuser.anonymized === 0 && <HoldNote cuserid={cuser.cuserid} />}
      {cuser.anonymized === 1 && <ErasureReceipt cuserid={cuser.cuserid} />}
      <MergeNotes cuserid={cuser.cuserid} invalidates={[getCUserArchive]} />
      <PersonCard
        file={file}
        onEdit={() => setIsEditing(true)}
        onGrant={() => setIsGranting(true)}
        onMerge={() => setIsMerging(true)}
      />
      {archives.map((archive) => (
        <ArchiveCard
          key={archive.archiveid}
          archive={archive}
          cuserid={cuser.cuserid}
          musercode={cuser.musercode}
          isErased={cuser.anonymized === 1}
        />
      ))}
      {guardians.length > 0 && (
        <Section title="监护人">
          <Facts
            facts={guardians.map(({ name, relation, phonenumber }, index) => [
              `${RELATIONS[relation] ?? '监护人'}${guardians.length > 1 ? ` ${index + 1}` : ''}`,
              <Group key={index} gap="sm" wrap="nowrap">
                <PersonName
                  value={name}
                  what="查看监护人姓名"
                  reveal={async () => (await call(revealCUser, { cuserid: cuser.cuserid })).guardian[index]?.name ?? name}
                />
                <PersonName
                  value={phonenumber}
                  what="查看监护人电话"
                  reveal={async () => (await call(revealCUser, { cuserid: cuser.cuserid })).guardian[index]?.phonenumber ?? ''}
                />
              </Group>,
            ])}
          />
        </Section>
      )}
      {file.examcount > 0 && can(getPHQ9ChartsData) && <PersonTrend cuserid={file.cuser.cuserid} />}
      <PersonTimeline file={file} onMove={() => setIsMoving(true)} />
      <Consents file={file} />
      {isEditing && <PersonDrawer row={cuser} invalidates={[getCUserArchive]} onClose={() => setIsEditing(false)} />}
      {isMoving && <MoveSheetDrawer person={cuser} invalidates={[getCUserArchive]} onClose={() => setIsMoving(false)} />}
      {isMerging && <MergeDrawer person={cuser} invalidates={[getCUserArchive]} onClose={() => setIsMerging(false)} />}
      {isGranting && <GrantsDrawer row={cuser} onClose={() => setIsGranting(false)} />}
    </PageStack>
  );
}

interface CardProps {
  file: PersonFile;
  onEdit: () => void;
  onGrant: () => void;
  onMerge: () => void;
}

function PersonCard({ file, onEdit, onGrant, onMerge }: CardProps) {
  const { cuser } = file;
  const reveal = (key: 'username' | 'phonenumber') => async () => (await call(revealCUser, { cuserid: cuser.cuserid }))[key];
  return (
    <Section
      title={
        <Group gap="xs" component="span">
          <PersonName value={cuser.username} reveal={reveal('username')} what="查看姓名" />
          {cuser.focus === 1 && <IconStarFilled size={16} color="var(--level-2)" role="img" aria-label="重点关注" />}
          {cuser.anonymized === 1 ? (
            <Badge tone="gray">已匿名化</Badge>
          ) : (
            cuser.enabled === 0 && <Badge tone="gray">已停用</Badge>
          )}
        </Group>
      }
      right={
        cuser.anonymized === 0 && (
          <>
            {can(getPHQ9ChartsData) && (
              <Button variant="default" component={Link} to={`/trend/${cuser.cuserid}`}>
                得分趋势
              </Button>
            )}
            <Button variant="default" onClick={onGrant}>
              测评授权
            </Button>
            <EntryButton row={{ cuserid: cuser.cuserid, username: cuser.username, appid: cuser.appid }} variant="default" />
            {can(getPersonTrail) && (
              <Button variant="default" component={Link} to={`/authority/trail/${cuser.cuserid}`}>
                谁看过
              </Button>
            )}
            <Can call={exportBundle}>
              <FhirButton cuserid={cuser.cuserid} />
            </Can>
            <Can call={exportPersonCopy}>
              <CopyButton cuserid={cuser.cuserid} />
            </Can>
            <Can call={mergeCUser}>
              <Button variant="default" onClick={onMerge}>
                合并到…
              </Button>
            </Can>
            <Can call={updateCUser}>
              <Button onClick={onEdit}>修改资料</Button>
            </Can>
          </>
        )
      }
    >
      <Facts
        facts={[
          ['性别与年龄', `${Gender.label(cuser.gender)}${cuser.age === null ? '' : `，${cuser.age} 岁`}`],
          ['人群', Appid.label(cuser.appid)],
          ['所属', cuser.belongs || cuser.insname],
          [
            '联系电话',
            <PersonName key="phone" value={cuser.phonenumber} reveal={reveal('phonenumber')} what="查看电话" isPhone />,
          ],
          ['负责人', cuser.ownername],
          [
            '当前阶段',
            cuser.anonymized === 1
              ? '—'
              : cuser.stagename || (
                  <Text key="stage" span size="sm" c="dimmed">
                    {cuser.stagenote || '暂无待测阶段'}
                  </Text>
                ),
          ],
          ...(cuser.gestation ? [['孕周/产后', cuser.gestation] as const] : []),
          ['心理状态', <EnumBadge key="state" of={MentalState} code={cuser.mentalstate} tones={STATE_TONES} />],
          ['当前预警', cuser.riskflag ? <WarningBadge key="risk" level={cuser.riskflag} /> : '无进行中的预警'],
          ...(cuser.withheldcount > 0
            ? [['知情同意', `待补同意：${cuser.withheldcount} 份答卷的得分和报告暂不可看`] as const]
            : []),
          ['测评次数', `${file.examcount} 次`],
          ['最近测评', cuser.lastexamtime ? <RelativeTime key="last" at={cuser.lastexamtime} /> : '还没有测评'],
        ]}
      />
    </Section>
  );
}
