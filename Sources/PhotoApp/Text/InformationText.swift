import Foundation
import ImageCodecs
import PhotoBrowser
import PhotoPipeline

extension PhotoInformation {
    /// What is told of the file: a name and a value each.
    var fileLines: [(name: String, value: String)] {
        var lines: [(String, String)] = []
        if let image {
            lines.append((tr("Kind"), image.format.rawValue.uppercased()))
            let size = tr("{width} × {height} pixels")
                .filled(["width": image.size.width.grouped, "height": image.size.height.grouped])
            lines.append((tr("Dimensions"), size))
        }
        lines.append((tr("File Size"), byteCount.sizeText))
        lines.append((tr("Came From"), sourceText))
        return lines
    }

    private var sourceText: String {
        switch metrics.source {
        case .file, .loader: return tr("This computer")
        case .cache, .stale, .memory: return tr("The copy that was kept")
        case .validated: return tr("The copy that was kept, which the server confirmed")
        case .network:
            guard let transfer = metrics.transfer else { return tr("The network") }
            return tr("The network: first byte after {first}, all of it after {all}").filled([
                "first": StrategyFigure.time(transfer.timeToFirstByte / .milliseconds(1)),
                "all": StrategyFigure.time(transfer.total / .milliseconds(1)),
            ])
        }
    }

    /// What is told of the camera and of the photographer.
    var cameraLines: [(name: String, value: String)] {
        let lines: [(String, String?)] = [
            (tr("Camera"), [text("Make"), text("Model")].compactMap { $0 }.joined(separator: " ").ifAny),
            (tr("Lens"), text("LensModel")),
            (tr("Taken"), (text("DateTimeOriginal") ?? text("CreateDate")).map(Self.date)),
            (tr("Exposure"), number("ExposureTime").flatMap(Self.exposure)),
            (tr("Aperture"), number("FNumber").map { "ƒ/" + $0.brief }),
            (tr("Sensitivity"), number("ISO").map { "ISO \(Int($0))" }),
            (tr("Focal Length"), number("FocalLength").map { "\($0.brief) mm" }),
            (tr("Place"), place), (tr("Description"), text("ImageDescription")), (tr("Author"), text("Artist")),
            (tr("Copyright"), text("Copyright")),
        ]
        return lines.compactMap { name, value in value.map { (name, $0) } }
    }

    private func text(_ name: String) -> String? {
        if case .text(let text) = fields[name] { text } else { nil }
    }

    private func number(_ name: String) -> Double? {
        switch fields[name] {
        case .number(let number) where abs(number) < 1e9: number
        case .numbers(let numbers): numbers.first.flatMap { abs($0) < 1e9 ? $0 : nil }
        default: nil
        }
    }

    private var place: String? {
        guard let latitude = number("GPSLatitude"), let longitude = number("GPSLongitude") else { return nil }
        return "\(latitude.written(decimals: 5))°, \(longitude.written(decimals: 5))°"
    }

    /// EXIF writes a date with colons: 2026:11:23 18:20:00.
    private static func date(_ text: String) -> String {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard let day = parts.first, day.split(separator: ":").count == 3 else { return text }
        return ([String(day).replacing(":", with: "-")] + parts.dropFirst().map(String.init)).joined(separator: " ")
    }

    /// How long the photo was exposed; nil where no camera can have done that. A file may claim any number.
    static func exposure(_ seconds: Double) -> String? {
        guard seconds > 1e-9 else { return nil }
        return seconds < 0.3 ? "1/\(Int((1 / seconds).rounded())) s" : "\(seconds.brief) s"
    }
}

extension Double {
    /// With a decimal where it has one.
    fileprivate var brief: String { written(decimals: self == rounded() ? 0 : 1) }
}

extension String {
    fileprivate var ifAny: String? { isEmpty ? nil : self }
}
