extension HTMLReport {
    /// How the page looks, light and dark, narrow and wide.
    static let style = """
        :root {
          --page: #f6f2eb; --card: #fffdf9; --line: #e2d9cb; --ink: #251f19; --quiet: #685e52; --accent: #85460f;
          --good: #2b6b46; --good-back: #dcefe2; --bad: #a22f1c; --bad-back: #fae2dc; --idle: #6b6257; --idle-back: #ebe5db;
          --hover: #f9f3e8; --shadow: 0 1px 2px rgb(60 40 20 / .07), 0 6px 20px rgb(60 40 20 / .05);
          font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", "Noto Sans KR", "Noto Sans CJK KR", "Apple SD Gothic Neo",
            "Malgun Gothic", "NanumGothic", sans-serif;
          color: var(--ink); background: var(--page); accent-color: var(--accent);
          -webkit-text-size-adjust: 100%; text-size-adjust: 100%;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #15120e; --card: #1f1a15; --line: #3a3229; --ink: #ede6db; --quiet: #aca092; --accent: #e6ac6c;
            --good: #85cfa3; --good-back: #1d3427; --bad: #f49780; --bad-back: #43211a; --idle: #b0a597; --idle-back: #322c25;
            --hover: #27211a; --shadow: none;
          }
        }
        *, ::before, ::after { box-sizing: border-box; }
        [hidden] { display: none !important; }
        body { margin: 0 auto; max-width: 76rem; padding: 2.25rem clamp(1rem, 4vw, 2.5rem) 3rem; }
        h1, h2, h3, p, ul, dl, dd { margin: 0; padding: 0; }
        ul { list-style: none; }
        h1 { font-size: clamp(1.7rem, 1.2rem + 2.2vw, 2.6rem); line-height: 1.15; letter-spacing: -.02em; font-weight: 700;
          overflow-wrap: anywhere; text-wrap: balance; }
        h2 { font-size: 1.25rem; line-height: 1.3; margin-bottom: .75rem; letter-spacing: -.01em; }
        h3 { font-size: .95rem; margin-bottom: .5rem; }
        section { margin-top: 2.5rem; scroll-margin-top: 1rem; }
        section:focus { outline: none; }
        a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: 1px; }
        a:hover { text-decoration-thickness: 2px; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
        code, kbd { font: .88em ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace; }
        code { background: var(--idle-back); padding: .1em .4em; border-radius: 4px; overflow-wrap: anywhere; }
        kbd { border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 .35em; color: var(--quiet); }
        .code { font: .72em ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; color: var(--bad);
          background: var(--bad-back); border-radius: 3px; padding: .1em .25em; margin: 0 .1em; white-space: nowrap; }
        .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
        .skip { position: absolute; left: 1rem; top: -4rem; background: var(--card); padding: .5rem 1rem; border-radius: 6px;
          z-index: 3; }
        .skip:focus { top: .5rem; }
        .share { color: var(--quiet); font-size: .85rem; font-weight: 400; }
        .note { color: var(--quiet); font-size: .9rem; max-width: 62rem; margin-bottom: .9rem; overflow-wrap: anywhere; }
        #left-out { border-left: 3px solid var(--accent); padding-left: .8rem; }

        .brand { font-size: .8rem; letter-spacing: .08em; text-transform: uppercase; font-weight: 650; color: var(--accent);
          margin-bottom: .4rem; }
        .brand span { color: var(--quiet); font-weight: 400; }
        .when { color: var(--quiet); margin-top: .5rem; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
        .when > span + span::before { content: "·"; margin-right: .35em; }

        header + main > section:first-child { margin-top: 1.75rem; }
        .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .75rem; }
        .tiles a { display: block; height: 100%; padding: .9rem 1.1rem 1rem; background: var(--card); border: 1px solid var(--line);
          border-radius: 12px; box-shadow: var(--shadow); text-decoration: none; color: inherit; }
        .tiles a:hover { border-color: var(--accent); }
        .tiles .label { display: block; font-size: .85rem; color: var(--quiet); }
        .tiles .label::before { content: ""; display: inline-block; width: .6em; height: .6em; border-radius: 50%;
          background: var(--mark, transparent); margin-right: .45em; }
        .tiles li:first-child .label::before { display: none; }
        .tiles b { display: block; font-size: clamp(1.5rem, 1.2rem + 1.2vw, 2rem); line-height: 1.2; letter-spacing: -.02em;
          font-variant-numeric: tabular-nums; }
        .filtered { --mark: var(--good); --back: var(--good-back); }
        .failed { --mark: var(--bad); --back: var(--bad-back); }
        .cancelled { --mark: var(--idle); --back: var(--idle-back); }
        .whole { display: block; width: 100%; height: 8px; border-radius: 4px; margin-top: .9rem; }
        .whole rect { fill: var(--mark); }

        .recipe { margin-top: 1rem; }
        .recipe dl { display: flex; flex-wrap: wrap; gap: .5rem; }
        .recipe details { margin-top: .6rem; }
        .recipe summary { color: var(--quiet); font-size: .88rem; cursor: pointer; width: fit-content; }
        .recipe details dl { margin-top: .6rem; }
        .recipe div { display: flex; gap: .5em; padding: .2rem .75rem; border: 1px solid var(--line); border-radius: 99px;
          font-size: .88rem; max-width: 100%; }
        .recipe dt { color: var(--quiet); flex: none; }
        .recipe dd { overflow-wrap: anywhere; }

        .pair { display: inline-flex; flex: none; border-radius: 6px; overflow: hidden; gap: 2px; background: var(--line); }
        .pair img { display: block; object-fit: cover; background: var(--idle-back); }
        .gallery { display: grid; grid-template-columns: repeat(6, 1fr); gap: 1.1rem .9rem; }
        .gallery .pair { display: flex; border-radius: 10px; box-shadow: var(--shadow); }
        .gallery img { width: calc(50% - 1px); aspect-ratio: 1; }
        .gallery .name { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden;
          font-size: .85rem; line-height: 1.35; margin-top: .4rem; overflow-wrap: anywhere; color: inherit; text-decoration: none; }
        .gallery a.name:hover { text-decoration: underline; }
        #pictures p { margin-top: 1rem; }

        .box { background: var(--card); border: 1px solid var(--line); border-radius: 12px; box-shadow: var(--shadow);
          overflow: hidden; }
        .scroll { max-height: 25rem; overflow: auto; overscroll-behavior: contain; }
        .pair-of-lists { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(25rem, 100%), 1fr)); gap: 1.25rem; }
        table { border-collapse: collapse; width: 100%; font-size: .93rem; }
        th { text-align: left; font-weight: 400; }
        th, td { padding: .5rem .75rem; vertical-align: top; border-top: 1px solid var(--line); }
        .box th:first-child { padding-left: 1.1rem; }
        .box td:last-child, .box thead th:last-child { padding-right: 1.1rem; }
        thead th { border-top: 0; font-size: .8rem; color: var(--quiet); white-space: nowrap; }
        .box thead th { position: sticky; top: 0; background: var(--card); box-shadow: inset 0 -1px var(--line); }
        .box tbody tr:first-child > * { border-top: 0; }
        .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
        .box th[scope=row] { overflow-wrap: anywhere; min-width: 8rem; }
        .box th[scope=row] > a { font-weight: 600; text-decoration: none; }
        .box th[scope=row] > a:hover { text-decoration: underline; }
        .meaning { display: block; font-size: .85rem; color: var(--quiet); }
        .meaning a { white-space: nowrap; }
        td.bar { width: 26%; min-width: 4rem; vertical-align: middle; }
        .share-bar { display: block; width: 100%; height: 6px; }
        .share-bar rect { fill: var(--bad); opacity: .75; }
        th .share-bar { height: 3px; margin-top: .3rem; }
        [aria-labelledby=largest] .share-bar rect { fill: var(--accent); }

        .controls { display: grid; grid-template-columns: minmax(14rem, 2.4fr) repeat(3, minmax(7rem, 1fr)); gap: .75rem;
          align-items: end; position: sticky; top: 0; z-index: 2; background: var(--page); padding: .75rem 0; }
        .controls label > span { display: block; font-size: .8rem; color: var(--quiet); margin-bottom: .2rem; }
        input, select, button { font: inherit; color: inherit; }
        input, select { width: 100%; height: 2.5rem; padding: 0 .7rem; background: var(--card); border: 1px solid var(--quiet);
          border-radius: 8px; text-overflow: ellipsis; }
        input::placeholder { color: var(--quiet); opacity: 1; }
        button { height: 2.5rem; padding: 0 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px;
          cursor: pointer; white-space: nowrap; }
        button:hover:enabled { border-color: var(--accent); }
        button:disabled { opacity: .45; cursor: default; }
        .found { display: flex; align-items: center; gap: 1rem; min-height: 2.1rem; margin-bottom: .5rem; }
        #status { color: var(--quiet); font-size: .9rem; font-variant-numeric: tabular-nums; }
        .found button { height: 2rem; padding: 0 .8rem; font-size: .88rem; }

        .photos thead th { padding-bottom: .35rem; border-bottom: 1px solid var(--line); }
        .photos tbody tr:first-child > * { border-top: 0; }
        .photos tbody tr:hover { background: var(--hover); }
        .photos thead button { height: auto; padding: .1rem 0; border: 0; background: none; font-size: .85rem; color: var(--quiet); }
        .photos thead button:hover { color: var(--accent); }
        .photos thead button::after { content: "↕"; content: "↕" / ""; opacity: .35; margin-left: .3em; }
        .photos [aria-sort=ascending] button::after { content: "↑"; content: "↑" / ""; opacity: 1; }
        .photos [aria-sort=descending] button::after { content: "↓"; content: "↓" / ""; opacity: 1; }
        .photos [aria-sort=ascending] button, .photos [aria-sort=descending] button { color: var(--ink); font-weight: 600; }
        .photos td:first-child { color: var(--quiet); }
        .photos th.photo { width: 48%; }
        .photo-line { display: flex; gap: .8rem; align-items: flex-start; }
        .photo-line img { width: 48px; height: 48px; }
        .texts { min-width: 0; }
        .name { display: block; font-weight: 600; overflow-wrap: anywhere; }
        a.name { color: inherit; text-decoration-color: var(--accent); }
        .address { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden;
          font-size: .82rem; line-height: 1.4; color: var(--quiet); overflow-wrap: anywhere; text-decoration: none; }
        a.address:hover { text-decoration: underline; }
        .variants { display: block; font-size: .82rem; line-height: 1.4; color: var(--quiet); overflow-wrap: anywhere; }
        .badge { display: inline-block; padding: .05rem .6rem; border-radius: 99px; font-size: .82rem; white-space: nowrap;
          color: var(--mark); background: var(--back); }
        .detail { display: block; margin-top: .2rem; font-size: .85rem; color: var(--quiet); overflow-wrap: anywhere; }
        .none { text-align: center; padding: 3rem 1rem; color: var(--quiet); }
        .pages { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; justify-content: center; margin-top: 1.5rem; }
        .pages span { padding: 0 .75rem; color: var(--quiet); font-variant-numeric: tabular-nums; }
        footer { margin-top: 3.5rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .85rem; }

        @media (max-width: 72rem) { .gallery { grid-template-columns: repeat(4, 1fr); } }
        @media (max-width: 46rem) {
          body { padding-top: 1.5rem; }
          .tiles li:first-child:nth-last-child(odd) { grid-column: 1 / -1; }
          .hosts tr > :last-child { display: none; }
          .controls { grid-template-columns: 1fr 1fr; position: static; }
          .controls .search, .controls label:last-child { grid-column: 1 / -1; }
          .tiles { grid-template-columns: 1fr 1fr; }
          .tiles a { padding: .7rem .9rem .8rem; }
          .gallery { grid-template-columns: 1fr 1fr; }
          td.bar, th.bar { display: none; }
          .box th, .box td { padding-inline: .5rem; }
          .photos, .photos tbody, .photos tr, .photos th, .photos td { display: block; width: auto; }
          .photos th.photo { width: auto; }
          .photos thead tr { display: flex; flex-wrap: wrap; gap: .25rem .75rem; }
          .photos thead { display: block; border-bottom: 1px solid var(--line); }
          .photos thead th { border: 0; padding: .25rem 0; }
          .photos tbody tr { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: .9rem 0; border-top: 1px solid var(--line); }
          .photos tbody tr:first-child { border-top: 0; }
          .photos tbody th, .photos tbody td { border: 0; padding: 0; text-align: left; font-size: .88rem; }
          .photos tbody th.photo, .photos tbody td.outcome, .photos tbody td.none { flex: 1 0 100%; max-width: 100%; font-size: .93rem; }
          .photos td[data-label]::before { content: attr(data-label) " "; color: var(--quiet); }
          .photos td[data-label="No."] { order: 1; }
          .photos td[data-label="Received"] { order: 2; }
          .photos td[data-label="Time"] { order: 3; }
        }
        @media (hover: none) { .search kbd { display: none; } }
        @media (min-width: 46.01rem) {
          html { scroll-padding-top: 5.5rem; }
          section { scroll-margin-top: -4.5rem; }
        }
        @media print {
          .controls, .pages, .skip, .more { display: none !important; }
          .scroll { max-height: none; }
          :root { --page: #fff; --shadow: none; font-size: 11px; }
        }
        """
}
