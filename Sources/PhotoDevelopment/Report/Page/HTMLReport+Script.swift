extension HTMLReport {
    /// What makes the rows a table that can be searched.
    ///
    /// Text of strangers goes into text nodes and attributes only; there is no way from it to markup here, and the page's policy
    /// forbids the ways that there are (`innerHTML` and its like) altogether.
    static let script = #"""
        "use strict";
        (() => {
        const byId = id => document.getElementById(id);
        const config = JSON.parse(byId("config").textContent);
        const pageLength = 100, galleryStart = 12;

        // The rows. The text of a block is let go of when it has been read.
        const rows = [];
        for (const block of document.querySelectorAll("script.rows")) {
          const {texts, rows: part} = JSON.parse(block.textContent);
          for (const [number, name, address, host, outcome, result, bytes, milliseconds, before, after] of part) {
            const isFailed = outcome > 1;
            rows.push({
              number, name, address, host: texts[host], bytes, milliseconds, before, after, folded: null,
              outcome: isFailed ? "failed" : config.outcomes[outcome],
              reason: isFailed ? config.outcomes[outcome] : "",
              // What is wrong with a picture that was kept all the same.
              detail: isFailed ? texts[result] : texts[result.damage] ?? "",
              // One, or those of the variants.
              files: outcome === 0 ? [result.files ?? result].flat() : [],
            });
          }
          block.remove();
        }

        // Capitals, accents and wide letters do not count, as people leave them out when they search.
        const fold = text => /^[ -~\n]*$/.test(text) ? text.toLowerCase()
          : text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replace(/\u0111/g, "d");
        const folded = row => row.folded ??= fold(
          `${row.name}\n${row.address}\n${row.files.join("\n")}\n${row.reason}\n${row.detail}`);

        // What is shown, and the same as the fragment of the address, so that a search can be handed on as a link.
        const filters = ["q", "outcome", "reason", "host"];
        const keys = ["number", "name", "outcome", "bytes", "milliseconds"];
        const state = {q: "", outcome: "", reason: "", host: "", sort: "number", page: 1};

        const readFragment = () => {
          const fields = new URLSearchParams(location.hash.slice(1));
          for (const key of filters) state[key] = fields.get(key) ?? "";
          const sort = fields.get("sort") ?? "";
          state.sort = keys.includes(sort.replace(/^-/, "")) ? sort : "number";
          state.page = Math.max(1, parseInt(fields.get("page"), 10) || 1);
        };
        const writeFragment = () => {
          const fields = new URLSearchParams();
          for (const key of filters) if (state[key]) fields.set(key, state[key]);
          if (state.sort !== "number") fields.set("sort", state.sort);
          if (state.page > 1) fields.set("page", state.page);
          const fragment = fields.toString();
          if (fragment === location.hash.slice(1)) return;
          // Some browsers allow it only so often.
          try { history.replaceState(null, "", "#" + (fragment || "photos")); } catch { }
        };

        let found = [];
        const find = () => {
          const words = fold(state.q).split(/\s+/).filter(word => word);
          const [reason, status] = state.reason.startsWith("http-") ? ["http", state.reason.slice(5)] : [state.reason, ""];
          found = rows.filter(row =>
            (!state.outcome || row.outcome === state.outcome)
            && (!reason || row.reason === reason && row.detail.startsWith(status))
            && (!state.host || row.host === state.host)
            && words.every(word => folded(row).includes(word)));
          const key = state.sort.replace(/^-/, ""), sign = state.sort.startsWith("-") ? -1 : 1;
          if (state.sort === "number") return;
          const names = key === "name" || key === "outcome" ? new Intl.Collator(undefined, {numeric: true}) : null;
          const value = key === "outcome" ? row => row.reason || row.outcome : row => row[key];
          found.sort(names ? (a, b) => sign * names.compare(value(a), value(b)) : (a, b) => sign * (value(a) - value(b)));
        };

        // Elements. Strings become text nodes.
        const element = (name, attributes, ...children) => {
          const made = document.createElement(name);
          for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
          made.append(...children);
          return made;
        };
        // Characters that nobody sees, or that turn the reading direction round, are shown as their codes.
        const hidden = /([\#(hiddenPattern)])/u;
        const isolated = text => element("bdi", {}, ...text.split(hidden).map((part, place) => {
          if (place % 2 === 0) return part;
          const code = part.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
          return element("span", {class: "code"}, "U+" + code);
        }));
        // Only web addresses without a password are links, and only files inside the folder of the results.
        const webLink = address => {
          if (!/^https?:\/\//i.test(address) || address.endsWith("\u2026")) return null;
          try {
            const url = new URL(address);
            return /^https?:$/.test(url.protocol) && !url.username && !url.password ? url.href : null;
          } catch { return null; }
        };
        const resultLink = file => {
          // A picture inside a tar file cannot be shown.
          if (/^\d+\.tar\//.test(file)) return null;
          const parts = file.split("/");
          if (parts.some(part => part === "" || part === "." || part === "..")) return null;
          return config.results + parts.map(encodeURIComponent).join("/");
        };
        const placeInTar = file => /^(\d+\.tar)\/([^/]+)$/.exec(file);
        const linked = (link, kind, text) => link
          ? element("a", {class: kind, href: link, rel: "noreferrer noopener nofollow"}, isolated(text))
          : element("span", {class: kind}, isolated(text));

        const firstLink = row => row.files.length ? resultLink(row.files[0]) : null;
        const variants = row => row.files.length > 1 && row.files.length === config.variants.length
          ? [element("span", {class: "variants"},
              ...row.files.flatMap((file, place) => [" ", linked(resultLink(file), "variant", config.variants[place])]))]
          : [];

        const count = number => number.toLocaleString("en-US");
        const bytesText = bytes => {
          let value = bytes, unit = 0;
          while (value >= 999.5 && unit < 4) { value /= 1000; unit += 1; }
          return `${unit > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} ${["B", "kB", "MB", "GB", "TB"][unit]}`;
        };
        const timeText = ms => {
          if (ms < 9995) return `${(ms / 1000).toFixed(2)} s`;
          const s = Math.round(ms / 1000);
          if (s < 60) return `${s} s`;
          return s < 3600 ? `${Math.floor(s / 60)} min ${s % 60} s` : `${Math.floor(s / 3600)} h ${Math.floor(s / 60) % 60} min`;
        };
        const labels = {filtered: "done", cancelled: "not done"};

        const pair = row => {
          const picture = (data, alt) => element(
            "img", {src: "data:image/jpeg;base64," + data, alt, decoding: "async", loading: "lazy"});
          return element("span", {class: "pair"}, picture(row.before, "Before"), picture(row.after, "After"));
        };
        const line = row => {
          const photo = element("th", {scope: "row", role: "rowheader", class: "photo"});
          const content = element("div", {class: "photo-line"});
          if (row.before) content.append(pair(row));
          content.append(element("div", {class: "texts"},
            linked(firstLink(row), "name", row.name),
            ...variants(row),
            row.address ? linked(webLink(row.address), "address", row.address) : ""));
          photo.append(content);
          const outcome = element("td", {role: "cell", class: "outcome"},
            element("span", {class: "badge " + row.outcome}, row.reason || labels[row.outcome]));
          if (row.detail) outcome.append(" ", element("span", {class: "detail"}, isolated(row.detail)));
          const places = row.files.map(placeInTar);
          if (places[0]) outcome.append(" ", element("span", {class: "detail"}, "in ",
            linked(config.results + encodeURIComponent(places[0][1]), "tar", places[0][1]), " as ",
            isolated(places.map(place => place?.[2] ?? "").join(", "))));
          const started = row.bytes > 0 || row.milliseconds > 0;
          const figure = (label, text) => element("td", {role: "cell", class: "number", "data-label": label}, text);
          return element("tr", {role: "row"}, figure("No.", count(row.number)), photo, outcome,
            figure("Received", started ? bytesText(row.bytes) : "\u2013"),
            figure("Time", started ? timeText(row.milliseconds) : "\u2013"));
        };

        const body = document.querySelector("table.photos tbody");
        const show = () => {
          const pages = Math.max(1, Math.ceil(found.length / pageLength));
          state.page = Math.min(state.page, pages);
          const start = (state.page - 1) * pageLength;
          const part = found.slice(start, start + pageLength);
          body.replaceChildren(...part.map(line));
          if (!part.length) {
            body.append(element("tr", {role: "row"}, element("td", {role: "cell", class: "none", colspan: "5"},
              rows.length ? "No photo is like that." : "There are no photos.")));
          }
          const isWhole = found.length === rows.length;
          byId("status").textContent = isWhole ? `${count(rows.length)} photos` : `${count(found.length)} of ${count(rows.length)} photos`;
          byId("page").textContent = `Page ${count(state.page)} of ${count(pages)}`;
          byId("first").disabled = byId("previous").disabled = state.page === 1;
          byId("last").disabled = byId("next").disabled = state.page === pages;
          document.querySelector("nav.pages").hidden = pages === 1;
          for (const head of document.querySelectorAll("table.photos thead th")) {
            const key = head.firstElementChild.dataset.sort;
            head.setAttribute("aria-sort",
              state.sort === key ? "ascending" : state.sort === "-" + key ? "descending" : "none");
          }
          byId("clear").hidden = !filters.some(key => state[key]);
        };
        const showControls = () => {
          for (const key of filters) {
            const control = byId(key);
            // A host that is not in the list is one all the same.
            if (control.options && ![...control.options].some(option => option.value === state[key])) {
              control.append(new Option(state[key], state[key]));
            }
            if (control.value !== state[key]) control.value = state[key];
          }
        };
        const update = () => { find(); show(); writeFragment(); };
        const goTo = page => {
          state.page = page;
          show();
          writeFragment();
          document.querySelector(".found").scrollIntoView({block: "start"});
        };

        // What people do.
        let timer = 0;
        byId("q").addEventListener("input", () => {
          state.q = byId("q").value;
          state.page = 1;
          clearTimeout(timer);
          timer = setTimeout(update, rows.length > 20000 ? 150 : 0);
        });
        for (const key of filters.slice(1)) {
          byId(key).addEventListener("change", () => { state[key] = byId(key).value; state.page = 1; update(); });
        }
        byId("clear").addEventListener("click", () => {
          for (const key of filters) state[key] = "";
          state.page = 1;
          showControls();
          update();
          byId("q").focus();
        });
        byId("first").addEventListener("click", () => goTo(1));
        byId("previous").addEventListener("click", () => goTo(state.page - 1));
        byId("next").addEventListener("click", () => goTo(state.page + 1));
        byId("last").addEventListener("click", () => goTo(Math.ceil(found.length / pageLength)));
        for (const button of document.querySelectorAll("button[data-sort]")) {
          button.addEventListener("click", () => {
            const key = button.dataset.sort;
            // Of sizes and times people look for the largest.
            const [first, second] = key === "bytes" || key === "milliseconds" ? ["-" + key, key] : [key, "-" + key];
            state.sort = state.sort === first ? second : first;
            state.page = 1;
            update();
          });
        }
        document.addEventListener("keydown", event => {
          const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
          if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
            event.preventDefault();
            byId("q").focus();
            byId("q").select();
          }
        });
        addEventListener("hashchange", () => {
          if (!location.hash.includes("=")) return;
          readFragment();
          showControls();
          update();
          byId("photos").scrollIntoView({block: "start"});
          byId("photos").focus({preventScroll: true});
        });

        // The pictures.
        const gallery = byId("pictures");
        if (gallery) {
          const shown = rows.filter(row => row.before), more = gallery.querySelector(".more");
          const fill = some => gallery.querySelector("ul").replaceChildren(...some.map(row => element("li", {},
            pair(row), linked(firstLink(row), "name", row.name))));
          fill(shown.slice(0, galleryStart));
          more.textContent = `Show all ${count(shown.length)}`;
          more.hidden = shown.length <= galleryStart;
          more.addEventListener("click", () => {
            fill(shown);
            more.hidden = true;
            gallery.querySelectorAll("li")[galleryStart].querySelector("a")?.focus();
          });
          gallery.hidden = false;
        }

        byId("list").hidden = false;
        const isSearch = location.hash.includes("=");
        if (isSearch) readFragment();
        showControls();
        find();
        show();
        if (isSearch) byId("photos").scrollIntoView({block: "start"});
        })();
        """#

    /// The hidden characters, as a class of a regular expression has them.
    private static var hiddenPattern: String {
        PageText.hiddenRanges.map { range in
            "\\u{\(String(range.lowerBound, radix: 16))}-\\u{\(String(range.upperBound, radix: 16))}"
        }.joined()
    }
}
