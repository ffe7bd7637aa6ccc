import CGtk
import GtkSupport
import ImageCodecs
import PhotoBrowser
import PhotoDevelopment
import PhotoPipeline

extension BrowserWindow {
    /// Asks where a photo shall be written, by default the one that is looked at, or those that are chosen, and writes them.
    func chooseWhereToSave(_ wanted: Photo.ID? = nil) {
        guard let list else { return }
        viewer.slideshow.end()
        let photos = concerned(by: wanted)
        guard let photo = photos.first else {
            say(tr("Choose a photo first."))
            return
        }
        guard photos.count == 1 else { return chooseWhereToSave(photos, of: list) }
        let name = list[photo].name
        choose(
            tr("Save Photo As"), GTK_FILE_CHOOSER_ACTION_SAVE, tr("_Save"), suggestion: name.suggestedFileName
        ) { [weak self] files in
            guard let path = self?.path(of: files[0]) else { return }
            // Another catalog may have been opened meanwhile.
            self?.save(photo, of: list, name, to: path)
        }
    }

    /// The path of a file that was chosen; says so where it has none.
    func path(of file: OpaquePointer) -> String? {
        guard let path = g_file_get_path(file) else {
            say(tr("Files can be saved only where they have a path."))
            return nil
        }
        defer { g_free(path) }
        return String(cString: path)
    }

    private func save(_ photo: Photo.ID, of list: PhotoList, _ name: String, to path: String) {
        // The ending decides on the format; a name without one gets that of the usual format.
        let ending = path.split(separator: "/").last?.split(separator: ".").last.map { $0.lowercased() }
        let format = ImageEncoder.Format.allCases.first { $0.fileExtension == ending || $0.rawValue == ending }
        if let ending, format == nil, ImageEnding.all.contains(ending) {
            let formats = ImageEncoder.Format.allCases.map(\.fileExtension)
            return MessageDialog.show(
                over: window, tr("The Photo Was Not Saved"),
                tr("Photos cannot be written as “{ending}”. There are {formats} and {last}.").filled([
                    "ending": ending, "formats": formats.dropLast().joined(separator: ", "),
                    "last": formats.last ?? "",
                ]))
        }
        let whole = format == nil ? path + "." + ImageEncoder.Format.jpeg.fileExtension : path
        let file = whole.split(separator: "/").last.map(String.init) ?? whole
        let isThere = g_file_test(whole, G_FILE_TEST_EXISTS) != 0
        let refusal = tr("“{name}” is there already, and was not replaced.").filled(["name": file])
        // Whether a file may be replaced was asked only for the name that was typed, and where the file was there by then.
        if PromisedFiles.contains(whole) || whole != path && isThere {
            return MessageDialog.show(over: window, tr("The Photo Was Not Saved"), refusal)
        }
        let written = SaveJob.File(
            photo, to: whole, whereTaken: isThere ? .replace : .refuse, as: ImageEncoder(format: format ?? .jpeg))
        let job = SaveJob([written], of: list) { [self] job in
            if job.failures.first?.isNameTaken == true {
                tell(tr("The Photo Was Not Saved"), refusal)
            } else if let error = job.failures.first?.error {
                let reason = ["name": name, "reason": error.explanation]
                tell(tr("The Photo Was Not Saved"), tr("“{name}” was not saved. {reason}.").filled(reason))
            } else if job.savedCount == 0 {
                say(tr("“{name}” was not saved: it was cancelled.").filled(["name": name]))
            } else {
                let folder = whole.split(separator: "/").dropLast().last.map(String.init) ?? "/"
                say(tr("“{name}” was saved in “{folder}”.").filled(["name": file, "folder": folder]))
            }
            saves.end(job)
        }
        saves.begin(job, tr("Saving “{name}”…").filled(["name": name]))
    }

    /// Says what was not saved, also where the window is closed.
    func tell(_ heading: String, _ text: String) {
        if isClosed {
            MessageDialog.showAlone(application, heading, text)
        } else {
            MessageDialog.show(over: window, heading, text)
        }
    }
}

extension PhotoError {
    /// What went wrong; with the reason, where it is about the file.
    @MainActor var explanation: String {
        guard reason == .writeFailed, !detail.isEmpty else { return sentence }
        return "\(sentence): \(SystemReason.text(detail, isAboutWriting: true))"
    }
}

/// What names of pictures end with, in lower case.
enum ImageEnding {
    static let all: Set = [
        "jpg", "jpeg", "jpe", "jfif", "mpo", "png", "apng", "webp", "avif", "avifs", "heic", "heics", "heif", "heifs",
        "hif",
        "tif", "tiff", "gif", "jxl", "svg", "svgz", "bmp", "ico", "jp2", "psd", "raw", "dng",
    ]
}

extension String {
    /// What a photo of this name may be called as a file: as JPEG, with one ending.
    var suggestedFileName: String {
        var visible = fileNameBeginning.drop { $0 == "." || $0 == " " }
        if let dot = visible.lastIndex(of: "."), ImageEnding.all.contains(visible[dot...].dropFirst().lowercased()) {
            visible = visible[..<dot]
        }
        return (visible.isEmpty ? "photo" : String(visible)) + "." + ImageEncoder.Format.jpeg.fileExtension
    }

    /// The characters that a file's name has room for; those that a stick for cameras refuses are replaced. File systems count bytes, and allow 255 of them, also for a number and an ending;
    /// a syllable of Korean may have nine.
    var fileNameBeginning: String {
        let (mostCharacters, mostBytes) = (80, 200)
        var (beginning, bytes) = ("", 0)
        for character in prefix(mostCharacters) {
            let kept: Character = OutputName.isUnsafe(character) ? "-" : character
            bytes += kept.utf8.count
            guard bytes <= mostBytes else { break }
            beginning.append(kept)
        }
        return beginning
    }
}
