import CGtk
import GtkSupport
import PhotoBrowser
import PhotoPipeline

/// Looks, of all photos and of single ones.
extension BrowserWindow {
    func addLookActions() {
        actions.add("undo-look") { [unowned self] in undoLook() }
        actions.add("redo-look") { [unowned self] in redoLook() }
        addUndoKey()
        actions.add("looks") { [unowned self] in showLooksSideBySide() }
        offerUndo()
    }

    /// Ctrl+Z takes back what was done to looks, and Ctrl+Shift+Z does it again, where what has the keyboard does nothing with them. The
    /// keys of actions come before that, and whoever takes back what was typed would lose a look.
    private func addUndoKey() {
        guard let keys = gtk_event_controller_key_new() else { return }
        connect(keys, "key-pressed") { [unowned self] (key: UInt32, code: UInt32, state: SignalFlags) -> Bool in
            guard state.hasControl, PressedKey(key, code: code).means(GDK_KEY_z),
                state.hasShift ? ownLooks.canRedo : ownLooks.canUndo
            else { return false }
            // A text does nothing with it where nothing was typed, and it is meant for the text all the same.
            let focus = gtk_window_get_focus(cast(window))
            if let focus, g_type_is_a(cgtk_instance_type(focus), gtk_editable_get_type()) != 0 { return false }
            if state.hasShift { redoLook() } else { undoLook() }
            return true
        }
        gtk_widget_add_controller(window, keys)
    }

    func connectLooks() {
        for looks in [header.looks, viewer.looks] {
            looks.onChoose = { [unowned self] in choose($0, for: $1) }
            looks.onChooseAgain = { [unowned self] look, target in
                if target.photos.contains(where: { self.look(of: $0) != look }) { choose(look, for: target) }
            }
            looks.onEdit = { [unowned self, unowned looks] in editLook($0, for: $1, from: looks) }
            looks.onOpen = { [unowned self, unowned looks] in
                viewer.slideshow.end()
                if looks !== chooserThatIsAsked { offer(lookPhotos, in: looks.targets) }
                showOwnLooks()
            }
            looks.onSwitch = { [unowned self] _ in showOwnLooks() }
            looks.onReset = { [unowned self] in resetLooks(of: $0) }
            looks.onClose = { [unowned self, unowned looks] in
                // Whoever came from the menu of a photo goes back to the photos.
                if looks === chooserThatIsAsked, looks === header.looks {
                    Task { [weak self] in
                        // The window may go with them.
                        if let self, !isClosed { page?.takeFocus() }
                    }
                }
                chooserThatIsAsked = nil
                looks.targets.offer([], isLarge: looks === viewer.looks, isChosen: false)
                tellLookChange()
                if !isClosed { showOwnLooks() }
            }
        }
        viewer.sideBySide.onOpen = { [unowned self] in offer(lookPhotos, in: viewer.sideBySide.targets) }
        viewer.sideBySide.lookOf = { [unowned self] in look(for: $0) }
        viewer.sideBySide.onChoose = { [unowned self] in
            choose($0, for: $1)
            tellLookChange()
        }
    }

    /// Follows the looks that single photos of what is open have.
    func connectOwnLooks() {
        ownLooks.onProblem = { [weak self] reason in
            guard let self else { return false }
            let text = tr("Looks of single photos cannot be kept: {reason}.").filled(["reason": reason])
            return sayLasting(text) != nil
        }
        ownLooks.onMend = { [weak self] copy in
            let text = tr("Looks of single photos cannot be understood. The file as it was is kept as “{path}”.")
            self?.sayLasting(text.filled(["path": copy]))
        }
        ownLooks.onChange = { [weak self, weak ownLooks] in
            // What one has open during a tour is not shown.
            if let self, self.ownLooks === ownLooks, !isClosed { applyLooks() }
        }
    }

    // MARK: What photos have

    /// The look that a photo has.
    func look(of photo: Photo.ID) -> ChosenLook { ownLooks.looks[photo] ?? chosenLook }

    /// What is said of a photo that has a look of its own; nil for the others.
    func remark(about photo: Photo.ID) -> String? {
        ownLooks.looks[photo].map { tr("Look: {look}").filled(["look": $0.text]) }
    }

    /// What the window with all that is known of a photo says of its look.
    func lookText(of photo: Photo.ID) -> String {
        let own = ownLooks.looks[photo]
        return (own == nil ? tr("{look}, as all photos") : tr("{look}, for this photo only"))
            .filled(["look": (own ?? chosenLook).text])
    }

    /// The look that those have whom a look is for; of several, the first.
    private func look(for target: LookTarget) -> ChosenLook {
        target.photos.first.map { look(of: $0) } ?? chosenLook
    }

    /// The photos that a look can be for: the one that is seen in large, or those that are chosen.
    private var lookPhotos: [Photo.ID] { concerned(by: nil) }

    /// Offers photos. A look is for them where it is them that one sees with a look of their own.
    private func offer(_ photos: [Photo.ID], in targets: LookTargetSwitch) {
        let hasOwn = photos.first.map { ownLooks.looks[$0] != nil } ?? false
        targets.offer(photos, isLarge: viewer.photo != nil, isChosen: hasOwn)
    }

    /// What the lists make of the looks.
    var listLooks: PhotoLooks { PhotoLooks(chosenLook.look, own: ownLooks.looks.mapValues { $0.look }) }

    /// Says which look the photos have, and has the choosers offer others.
    func showLook() {
        showOwnLooks()
        guard let list else { return }
        let count = tr("{count} photo", "{count} photos", list.catalog.count)
        let own = ownLooks.looks.count
        let others = own > 0 ? " · " + tr("{count} with its own", "{count} with their own", own) : ""
        title(shownName, subtitle: count + " · " + chosenLook.text + others)
    }

    private func showOwnLooks() {
        for looks in [header.looks, viewer.looks] {
            let target = looks.targets.target
            looks.chosen = look(for: target)
            let isOwn = target.photos.contains { ownLooks.looks[$0] != nil }
            looks.show(ownLooks: target.isForAll ? ownLooks.looks.count : isOwn ? countOfOwn(target.photos) : 0)
        }
    }

    private func countOfOwn(_ photos: [Photo.ID]) -> Int {
        photos.reduce(0) { $0 + (ownLooks.looks[$1] == nil ? 0 : 1) }
    }

    // MARK: Changes

    /// Gives all photos a look, or some photos one of their own.
    func choose(_ look: ChosenLook, for target: LookTarget = .all) {
        if target.isForAll {
            if look != chosenLook { ownLooks.noteChange(ofUsual: chosenLook) }
            chosenLook = look
        } else {
            ownLooks.set(look, for: target.photos)
        }
        applyLooks()
    }

    /// Has photos have the look of all again.
    private func resetLooks(of target: LookTarget) {
        if target.isForAll { ownLooks.removeAll() } else { ownLooks.set(nil, for: target.photos) }
        applyLooks()
    }

    private func undoLook() {
        guard ownLooks.canUndo else { return }
        restore(ownLooks.removal, saying: tr("The photos have the looks that they had before.")) {
            ownLooks.undo(with: chosenLook)
        }
    }

    private func redoLook() {
        guard ownLooks.canRedo else { return }
        restore(ownLooks.undoneRemoval, saying: tr("The change of looks was made again.")) {
            ownLooks.redo(with: chosenLook)
        }
    }

    /// Takes back a change, or makes it again.
    ///
    /// - Parameters:
    ///   - removal: The look of one's own that it is about.
    ///   - text: What is said then.
    ///   - usual: Gives the photos the looks, and answers the one of all where that changes.
    private func restore(_ removal: SavedLooks.Removal?, saying text: String, _ usual: () -> ChosenLook?) {
        do throws(SavedLooks.FileError) {
            if let removal { try SavedLooks.takeBack(removal) }
        } catch {
            tell(tr("The Look Was Not Kept"), error.sentence)
            return
        }
        if let usual = usual() { chosenLook = usual }
        applyLooks()
        if removal != nil { onLooksChanged() }
        say(text)
    }

    /// Has the photos have the looks that are known by now.
    func applyLooks() {
        // It may offer to take back another change.
        forgetPassing()
        let looks = listLooks
        for list in [list, viewer.list] { list?.looks = looks }
        showLook()
        offerUndo()
        page?.refresh()
        viewer.update()
    }

    func offerUndo() {
        actions.enable(["undo-look"], ownLooks.canUndo)
        actions.enable(["redo-look"], ownLooks.canRedo)
    }

    /// Says that photos have other looks of their own, and how one has it back.
    ///
    /// - Parameter isDeletion: Whether it is because a look was deleted, which is said then. Default: no.
    private func tellLookChange(isDeletion: Bool = false) {
        let removed = ownLooks.removal.flatMap { $0.isRemoved ? $0.entry.name : nil }
        let hasChangedOwn = ownLooks.endChange()
        if let removed, isDeletion {
            let text = tr("The look “{name}” was deleted.").filled(["name": removed])
            say(text, button: (tr("_Undo"), "win.undo-look"))
            return
        }
        guard hasChangedOwn else { return }
        let count = ownLooks.looks.count
        let text =
            count == 0
            ? tr("All photos have one look.")
            : tr("{count} photo has a look of its own.", "{count} photos have a look of their own.", count)
        say(text, button: (tr("_Undo"), "win.undo-look"))
    }

    // MARK: What menus offer

    /// What a photo's menu offers, which is about all photos that are chosen where it is one of them.
    func lookEntries(for photo: Photo.ID) -> [(label: String, action: String)] {
        let (chosen, own) = (chosen(with: photo), ownLooks.looks)
        let count = chosen?.count ?? 1
        let label =
            count == 1 ? tr("_Look of This Photo…") : tr("_Look of {count} Photo…", "_Look of {count} Photos…", count)
        var entries = [(label, "photo.look")]
        // All photos may be chosen, and all may have looks of their own: whichever are fewer are gone through.
        let hasOwn =
            switch chosen {
            case nil: own[photo] != nil
            case let chosen? where count < own.count: chosen.photos.contains { own[$0] != nil }
            case let chosen?: chosen.containsAny(of: own.photos)
            }
        if hasOwn {
            entries.append((tr("Use the Loo_k of All Photos"), "photo.reset-look"))
        }
        return entries + [(tr("Looks Side b_y Side"), "photo.looks")]
    }

    /// Offers looks for a photo, or for all photos that are chosen with it.
    func chooseLook(of photo: Photo.ID) {
        let looks = viewer.photo == nil ? header.looks : viewer.looks
        looks.targets.offer(concerned(by: photo), isLarge: viewer.photo != nil, isChosen: true)
        chooserThatIsAsked = looks
        viewer.showHeaderInFullscreen(true)
        // When the menu has given the keyboard back.
        Task { looks.open() }
    }

    /// Has the photos of a menu have the look of all again.
    func resetLook(of photo: Photo.ID) {
        resetLooks(of: .photos(concerned(by: photo)))
        tellLookChange()
    }

    /// Shows a photo with all looks beside each other.
    ///
    /// - Parameter wanted: The one whose menu was used; nil where a key was.
    func showLooksSideBySide(_ wanted: Photo.ID? = nil) {
        guard !comparePage.isOpen else { return }
        guard let photo = wanted ?? photoToTellOf else {
            say(tr("Choose a photo first."))
            return
        }
        if viewer.photo != photo { openLarge(photo) }
        viewer.showLooks()
    }

    // MARK: Looks that somebody makes

    /// Has somebody write a look of their own, or change one.
    ///
    /// - Parameter chooser: Where they asked for it, which knows the photo that they look at.
    func editLook(_ old: SavedLooks.Entry?, for target: LookTarget, from chooser: LookChooser) {
        LookEditor.show(
            over: window, old, beginningWith: look(for: target).choice.filter.description,
            image: chooser.onNeedImage()
        ) { [weak self, weak list] in
            guard let self else { return true }
            // Another catalog may be open by now, whose photos are others.
            return carryOut($0, on: old, for: self.list === list ? target : nil)
        }
    }

    /// Keeps or forgets a look, and says whether that went well.
    /// - Parameter target: The photos that are to have it; nil for none.
    private func carryOut(
        _ outcome: LookEditor.Outcome, on old: SavedLooks.Entry?, for target: LookTarget?
    ) -> Bool {
        var isDeletion = false
        do throws(SavedLooks.FileError) {
            switch outcome {
            case .keep(let entry):
                let kept = try SavedLooks.keep(entry, inPlaceOf: old)
                // To delete a look again would delete what was just written.
                ownLooks.forgetUndone()
                guard let target else { break }
                let intensity = old == nil ? 1 : look(for: target).intensity
                choose(ChosenLook(identifier: kept.identifier, intensity: intensity), for: target)
            case .remove:
                if let old, let removal = try SavedLooks.takeOut(old) {
                    // It is taken back by itself.
                    ownLooks.endChange()
                    ownLooks.noteRemoval(removal)
                    isDeletion = true
                }
                if let target { choose(.original, for: target) }
            }
            // Photos that had it may look different now.
            if target == nil { applyLooks() }
            onLooksChanged()
            tellLookChange(isDeletion: isDeletion)
            return true
        } catch {
            tell(tr("The Look Was Not Kept"), error.sentence)
            return false
        }
    }
}
