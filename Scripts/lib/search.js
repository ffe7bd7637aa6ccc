// Finds pages of the documentation by words, in the browser alone. The index comes when somebody begins to type.
{
    const input = document.getElementById('search')
    const results = document.getElementById('results')
    const root = input.dataset.root
    // Letters without marks, so that 'huy' finds 'huỷ'.
    const plain = text => text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('đ', 'd').replaceAll('Đ', 'D').toLowerCase()
    let pages

    const load = () => pages ??= new Promise((resolve, reject) => {
        const script = document.createElement('script')
        script.src = `${root}search-index.js`
        script.onload = () => resolve(searchIndex.map(page => ({path: page[0], title: page[1], words: page.slice(1).map(plain)})))
        script.onerror = reject
        document.head.append(script)
    })

    // How well a page fits: in all words, first by title, then by abstract, then by text. 0 if a word is missing.
    const weight = (page, words) => {
        let sum = page.words[2] ? 1 : 0
        for (const word of words) {
            const [title, abstract, text] = page.words
            if (title.startsWith(word)) sum += 8
            else if (title.includes(word)) sum += 5
            else if (abstract.includes(word)) sum += 3
            else if (text.includes(word)) sum += 2
            else return 0
        }
        return sum
    }

    const search = async () => {
        const words = plain(input.value).split(/\s+/).filter(Boolean)
        const found = words.length ? (await load()).map(page => [weight(page, words), page]).filter(([weight]) => weight) : []
        // What was typed meanwhile has a search of its own.
        if (words.join() !== plain(input.value).split(/\s+/).filter(Boolean).join()) return
        found.sort((a, b) => b[0] - a[0] || a[1].path.length - b[1].path.length)
        results.replaceChildren(...found.slice(0, 20).map(([, page]) => {
            const [item, link, place] = ['li', 'a', 'small'].map(name => document.createElement(name))
            link.href = root + page.path
            link.textContent = page.title
            place.textContent = page.path.split('/')[1]
            item.append(link, ' ', place)
            return item
        }))
    }
    input.addEventListener('input', search)
}
