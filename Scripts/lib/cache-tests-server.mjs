// Serves the tests of http-tests/cache-tests, whose folder is the only argument, to a cache inside a program: on a port of
// the loopback that it prints, with the tests for a browser's cache at /tests, and until standard input ends.
//
// A cache inside a program makes other keys of other request headers, so that the number of a request cannot be one of its
// headers: it is told to /next beforehand.
import http from 'node:http'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

const suite = pathToFileURL(process.argv[2] + '/')
const load = async name => (await import(new URL(name, suite))).default
const config = await load('test-engine/server/handle-config.mjs')
const state = await load('test-engine/server/handle-state.mjs')
const test = await load('test-engine/server/handle-test.mjs')
const all = (await load('tests/index.mjs')).flatMap(group => group.tests)
const tests = all.filter(test => !test.cdn_only && !test.browser_skip)

const next = new Map()
const server = http.createServer((request, response) => {
  const [kind, ...rest] = new URL(request.url, 'http://localhost/').pathname.split('/').slice(1)
  if (kind === 'tests') return response.end(JSON.stringify(tests))
  if (kind === 'next') {
    next.set(rest[0], rest[1])
    return response.end()
  }
  if (kind === 'test') request.headers['req-num'] = next.get(rest[0])
  const handle = { config, state, test }[kind]
  if (handle) return handle(rest, request, response)
  response.statusCode = 404
  response.end()
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
process.stdin.on('end', () => process.exit()).resume()
