import Testing

@testable import PhotoApp

@Suite struct ZoomTests {
    private func zoom(image: (Double, Double), view: (Double, Double)) -> Zoom {
        var zoom = Zoom()
        zoom.view = Zoom.Point(x: view.0, y: view.1)
        zoom.image = Zoom.Point(x: image.0, y: image.1)
        return zoom
    }

    @Test func showsAllOfTheImageInTheMiddle() {
        let large = zoom(image: (2_000, 1_000), view: (500, 500))
        #expect(large.scale == 0.25)
        #expect(large.origin == Zoom.Point(x: 0, y: 125))
        let small = zoom(image: (100, 50), view: (500, 500))
        #expect(small.scale == 1, "a small picture is not enlarged")
        #expect(small.origin == Zoom.Point(x: 200, y: 225))
    }

    @Test func theActualSizeIsShownAroundThePointerAndLeftAgain() {
        var zoom = zoom(image: (2_000, 1_000), view: (500, 500))
        let fitting = zoom
        zoom.switchActualSize(around: Zoom.Point(x: 100, y: 200))
        #expect(zoom.scale == 1)
        #expect(zoom.origin == Zoom.Point(x: -300, y: -100))
        zoom.switchActualSize(around: Zoom.Point(x: 400, y: 0))
        #expect(zoom == fitting)
    }

    @Test func whatIsUnderThePointerStaysThere() {
        var zoom = zoom(image: (2_000, 2_000), view: (500, 500))
        let pointer = Zoom.Point(x: 100, y: 300)
        let before = (pointer.x - zoom.origin.x) / zoom.scale
        zoom.magnify(by: 3, around: pointer)
        #expect(abs((pointer.x - zoom.origin.x) / zoom.scale - before) < 0.001)
        #expect(zoom.scale == 0.75)
    }

    @Test func neverLeavesTheViewOrItsBounds() {
        var zoom = zoom(image: (1_000, 1_000), view: (500, 500))
        for _ in 0..<40 { zoom.magnify(by: 1.5) }
        #expect(zoom.scale == Zoom.largest)
        zoom.pan(x: 1e9, y: -1e9)
        #expect(zoom.origin == Zoom.Point(x: 0, y: 500 - 16_000))
        for _ in 0..<40 { zoom.magnify(by: 0.5) }
        #expect(zoom.chosenScale == nil)
        #expect(zoom.scale == 0.5)
        zoom.showActualSize()
        #expect(zoom.scale == 1)
        zoom.view = Zoom.Point(x: 2_000, y: 2_000)
        #expect(zoom.origin == Zoom.Point(x: 500, y: 500))
    }

    @Test func whatIsSeenStaysWhereThePhotosSizeIsOnlyKnownBetter() {
        var zoom = zoom(image: (4_000, 2_667), view: (500, 500))
        zoom.magnify(by: 4, around: Zoom.Point(x: 100, y: 300))
        let (origin, width) = (zoom.origin, zoom.image.x * zoom.scale)
        zoom.image = Zoom.Point(x: 4_010, y: 2_673)
        #expect(abs(zoom.image.x * zoom.scale - width) < 0.001)
        #expect(abs(zoom.origin.x - origin.x) < 0.001 && abs(zoom.origin.y - origin.y) < 0.001)
        zoom.image = Zoom.Point(x: 1_000, y: 4_000)
        #expect(zoom.chosenScale == nil, "another picture is shown whole")
    }
}
