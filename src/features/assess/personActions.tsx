import { Button } from '@mantine/core';
import { IconDeviceTablet, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { archivePathOf } from '#contract/population.ts';
import { Can } from '#ui/api/Can.tsx';
import { can } from '#ui/api/session.ts';
import { RowMenu, RowMenuItem } from '#ui/list/RowMenu.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { useNavigate } from '#ui/router/router.tsx';
import { EntryButton } from '#blocks/staffexam/EntryButton.tsx';
import { getCUserArchive, getCUserArchivePageList, getDuePageList } from '#features/archive/archive.contract.ts';
import { insertKiosk, insertTestLink } from '#features/assess/assess.contract.ts';
import type { Tested } from '#features/assess/TestNowDrawer.tsx';
import { getCUserPlan } from '#features/assesscount/authorizations/authorize.contract.ts';
import { insertCUser } from '#features/cuser/cuser.contract.ts';
import { getCUserReportPageList } from '#features/report/report.contract.ts';
import { getPHQ9ChartsData } from '#features/trend/trend.contract.ts';

const AuthorizeDrawer = lazyDialog(() => import('#blocks/person/AuthorizeDrawer.tsx').then((file) => file.AuthorizeDrawer));
const GrantsDrawer = lazyDialog(() => import('#blocks/person/GrantsDrawer.tsx').then((file) => file.GrantsDrawer));
const KioskDrawer = lazyDialog(() => import('#features/assess/KioskDrawer.tsx').then((file) => file.KioskDrawer));
const TestNowDrawer = lazyDialog(() => import('#features/assess/TestNowDrawer.tsx').then((file) => file.TestNowDrawer));
const PersonDrawer = lazyDialog(() => import('#blocks/person/PersonDrawer.tsx').then((file) => file.PersonDrawer));

/** 建档: a new person of the population. */
export function NewPersonButton({ appid }: { appid: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Can call={insertCUser}>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsOpen(true)}>
        建档
      </Button>
      {isOpen && (
        <PersonDrawer
          row="new"
          appid={appid}
          invalidates={[getCUserArchivePageList, getDuePageList]}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Can>
  );
}

/** 自助机: the paired devices. */
export function KioskButton() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Can call={insertKiosk}>
      <Button variant="default" leftSection={<IconDeviceTablet size={16} aria-hidden />} onClick={() => setIsOpen(true)}>
        自助机
      </Button>
      {isOpen && <KioskDrawer onClose={() => setIsOpen(false)} />}
    </Can>
  );
}

/** 批量授权: authorises the selected persons. */
export function BulkAuthorize({ cuserids, appid, onDone }: { cuserids: string[]; appid: string; onDone: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setIsOpen(true)}>
        批量授权
      </Button>
      {isOpen && (
        <AuthorizeDrawer
          cuserids={cuserids}
          personText={`${cuserids.length} 人`}
          appid={appid}
          onClose={() => (setIsOpen(false), onDone())}
        />
      )}
    </>
  );
}

/** The operations on a person of 个体测评. */
export function PersonActions({ row }: { row: Tested }) {
  const navigate = useNavigate();
  const [isGranting, setIsGranting] = useState(false);
  const [isTesting, setIsTesting] = useState(false);
  const { cuserid } = row;
  return (
    <>
      <Can call={insertTestLink}>
        <Button variant="subtle" size="compact-sm" onClick={() => setIsTesting(true)}>
          立即测评
        </Button>
      </Can>
      <EntryButton row={row} variant="subtle" size="compact-sm" />
      <Can call={getCUserPlan}>
        <Button variant="subtle" size="compact-sm" onClick={() => setIsGranting(true)}>
          授权
        </Button>
      </Can>
      <RowMenu label={`${row.username}的更多操作`}>
        {can(getCUserReportPageList) && <RowMenuItem onClick={() => navigate(`/reports?cuserid=${cuserid}`)}>报告</RowMenuItem>}
        {can(getPHQ9ChartsData) && <RowMenuItem onClick={() => navigate(`/trend/${cuserid}`)}>趋势</RowMenuItem>}
        {can(getCUserArchive) && <RowMenuItem onClick={() => navigate(archivePathOf(row.appid, cuserid))}>档案</RowMenuItem>}
      </RowMenu>
      {isTesting && <TestNowDrawer row={row} onClose={() => setIsTesting(false)} />}
      {isGranting && <GrantsDrawer row={row} onClose={() => setIsGranting(false)} />}
    </>
  );
}
