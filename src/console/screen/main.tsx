import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { ScreenPage } from '#console/screen/ScreenPage.tsx';
import './screen.css';

// Compiling schemas needs eval, which the page's policy forbids.
z.config({ jitless: true });

/** 数据大屏: a page of its own without the console around it, for a display that nobody touches. */
createRoot(document.getElementById('root') as HTMLElement).render(<ScreenPage />);
