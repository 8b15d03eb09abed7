import { Tabs } from '@mantine/core';
import { can } from '#ui/api/session.ts';
import { useNavigate } from '#ui/router/router.tsx';
import { getCUserExamDataPageList } from '#features/examdata/examdata.contract.ts';

const PATHS = { persons: '/empower/individualAssessment', data: '/empower/individualAssessment/data' } as const;

/** The tabs of 个体管理. */
export function PersonTabs({ tab }: { tab: keyof typeof PATHS }) {
  const navigate = useNavigate();
  if (!can(getCUserExamDataPageList)) return null;
  return (
    <Tabs value={tab} onChange={(next) => void navigate(PATHS[next as keyof typeof PATHS])} mb="sm">
      <Tabs.List>
        <Tabs.Tab value="persons">受测者</Tabs.Tab>
        <Tabs.Tab value="data">测评数据</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  );
}
