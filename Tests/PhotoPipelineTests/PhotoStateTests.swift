import ImageCodecs
import Testing
import Transfers

@testable import PhotoPipeline

@Suite struct PhotoStateTests {
    private static let error = PhotoError(.http, "404")
    private static let states: [Photo.State] = [
        .new, .waiting, .downloading, .decoding, .downloaded, .filtering, .filtered, .failed(error),
    ]
    private static let events: [Photo.Event] = [
        .requested, .downloadStarted, .transferFinished, .decodingStarted, .downloadFinished, .filteringStarted,
        .filteringFinished, .failed(error), .cancelled,
        .filterChanged,
    ]

    @Test("A photo goes all the way")
    func wholeWay() {
        var state = Photo.State.new
        for (event, expected) in [
            (Photo.Event.requested, Photo.State.waiting), (.downloadStarted, .downloading),
            (.transferFinished, .waiting),
            (.decodingStarted, .decoding), (.downloadFinished, .downloaded),
            (.filteringStarted, .filtering), (.filteringFinished, .filtered),
        ] {
            state = state.after(event) ?? .new
            #expect(state == expected)
        }
    }

    @Test("A cancelled stage falls back to the last state that lasts")
    func cancelled() {
        for state in [Photo.State.waiting, .downloading, .decoding] { #expect(state.after(.cancelled) == .new) }
        #expect(Photo.State.filtering.after(.cancelled) == .downloaded)
        for state in Self.states where state.isStable { #expect(state.after(.cancelled) == nil) }
    }

    @Test("A failed photo can be tried again, and only from the start")
    func retry() {
        #expect(Photo.State.failed(Self.error).after(.requested) == .waiting)
        for event in Self.events where event != .requested {
            #expect(Photo.State.failed(Self.error).after(event) == nil)
        }
    }

    @Test("Another look sends a photo back to the filter, not to the download")
    func filterChanged() {
        #expect(Photo.State.filtered.after(.filterChanged) == .downloaded)
        #expect(Photo.State.filtering.after(.filterChanged) == .downloaded)
        #expect(Photo.State.downloading.after(.filterChanged) == nil)
    }

    @Test("No event leaves a state as it is and calls that a change")
    func changes() {
        for state in Self.states {
            for event in Self.events { #expect(state.after(event) != state) }
        }
    }

    @Test("Every cause of a failure has its word in the report")
    func words() {
        #expect(PhotoError.Reason.allCases.allSatisfy { $0.rawValue.allSatisfy { $0.isLowercase || $0 == "-" } })
        #expect(PhotoError(.http(status: 404)).reason == .http)
        #expect(PhotoError(.http(status: 404)).detail.hasPrefix("404"))
        #expect(PhotoError(.tooManyRedirects(limit: 1)).reason == .redirects)
        #expect(PhotoError(.untrusted("its certificate is nobody's"), attempts: 3).isUntrusted)
        #expect(!PhotoError(.unreachable("its name is not known")).isUntrusted)
        #expect(PhotoError(.timeout).reason == .decodeTimeout)
        #expect(PhotoError(.forbiddenAddress(scheme: "gopher")).reason == .forbiddenAddress)
    }
}
