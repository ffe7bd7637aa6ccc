import CGtk
import GtkSupport
import PhotoApp
import PhotoBrowser

extension Soak {
    /// Does one thing that users do.
    func act(at now: Double) {
        // Whoever has a dialog before him answers it, more often than not.
        if let dialog = eyes.dialogs.first, Int.random(in: 0..<4, using: &random) > 0 {
            let isAccepted = Bool.random(using: &random)
            log("answer \(SoakEyes.typeName(of: dialog)): \(isAccepted)")
            return hands.answer(dialog, accepting: isAccepted)
        }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<22: scrollSomewhere(at: now)
        case 22..<34: jump()
        case 34..<44: search()
        case 44..<50: arrange()
        case 50..<56: resize()
        case 56..<66: changeLook()
        case 66..<75: useViewer()
        case 75..<81: openCatalog()
        case 81..<86: useServer()
        case 86..<90: pause()
        case 90..<93: openDialog()
        case 93..<96: usePanel()
        default:
            log("retry")
            hands.call("retry")
        }
    }

    private func scrollSomewhere(at now: Double) {
        let speeds: [Double] = [0.5, 1, 3, 8, 30]
        let speed = speeds.randomElement(using: &random) ?? 1
        let isUp = Bool.random(using: &random)
        let seconds = Double.random(in: 0.1...1.5, using: &random)
        log("scroll \(isUp ? -speed : speed) screens a second for \(seconds) s")
        scroll(at: now, screens: isUp ? -speed : speed, seconds: seconds)
    }

    private func jump() {
        guard let adjustment = window.page?.adjustment else { return }
        let places: [Double] = [0, 1, .random(in: 0...1, using: &random)]
        let place = places.randomElement(using: &random) ?? 0
        log("jump to \(place)")
        scroll(to: gtk_adjustment_get_upper(adjustment) * place)
    }

    private func search() {
        guard let entry = eyes.first(gtk_search_entry_get_type()) else { return }
        let texts = ["", "", "7", "photo 1", "harbour", "11 har", "broken", "nobody", "é"]
        let text = texts.randomElement(using: &random) ?? ""
        log("search “\(text)”")
        forgetSearch()
        hands.turn("search", on: !text.isEmpty || Bool.random(using: &random))
        gtk_editable_set_text(OpaquePointer(entry), text)
    }

    private func arrange() {
        if Bool.random(using: &random) {
            let order = PhotoArrangement.Order.allCases.randomElement(using: &random) ?? .catalog
            log("order \(order)")
            hands.choose("order", order.rawValue)
        } else {
            let layout = Bool.random(using: &random) ? "list" : "grid"
            log("layout \(layout)")
            hands.choose("layout", layout)
        }
    }

    private func resize() {
        if Int.random(in: 0..<6, using: &random) == 0 {
            log("the smallest window")
            return gtk_window_set_default_size(cast(window.window), 1, 1)
        }
        let (width, height) = (
            Int32.random(in: 360...1_200, using: &random), Int32.random(in: 300...1_000, using: &random)
        )
        log("size \(width) x \(height)")
        gtk_window_set_default_size(cast(window.window), width, height)
    }

    private func changeLook() {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let button = window.header.looks.button.map { OpaquePointer($0) }
            let isOpen = Bool.random(using: &random)
            log("the chooser of looks: \(isOpen)")
            if isOpen { gtk_menu_button_popup(button) } else { gtk_menu_button_popdown(button) }
        case 1:
            guard let scale = eyes.first({ SoakEyes.isA($0, gtk_scale_get_type()) && gtk_widget_get_parent($0) != nil })
            else { return }
            let intensities: [Double] = [0, 30, 100, 100]
            let intensity = intensities.randomElement(using: &random) ?? 100
            log("intensity \(intensity)")
            gtk_range_set_value(cast(scale), intensity)
        default:
            guard let flow = eyes.first(gtk_flow_box_get_type()) else { return }
            let index = Int32.random(in: 0..<Int32(LookChoice.all.count), using: &random)
            log("look \(LookChoice.all[Int(index)].identifier)")
            gtk_flow_box_select_child(OpaquePointer(flow), gtk_flow_box_get_child_at_index(OpaquePointer(flow), index))
        }
    }

    private func useViewer() {
        guard window.viewer.photo != nil else {
            guard let view = eyes.view, let rows = window.page?.visibleRows, !rows.isEmpty else { return }
            let row = Int.random(in: rows, using: &random)
            log("open row \(row)")
            return hands.open(row: row, of: view)
        }
        let keys = [
            GDK_KEY_Escape, GDK_KEY_Escape, GDK_KEY_n, GDK_KEY_n, GDK_KEY_p, GDK_KEY_plus, GDK_KEY_minus, GDK_KEY_1,
            GDK_KEY_0, GDK_KEY_c, GDK_KEY_Left, GDK_KEY_Right, GDK_KEY_space,
        ]
        let key = keys.randomElement(using: &random) ?? GDK_KEY_Escape
        log("key \(key) in the large view")
        hands.press(key, in: window.viewer.widget)
    }

    private func openCatalog() {
        let catalog = site.catalogs.randomElement(using: &random) ?? ""
        let isDropped = !catalog.contains("://") && Bool.random(using: &random)
        log("\(isDropped ? "drop" : "open") \(catalog)")
        if isDropped { hands.drop(catalog) } else { hands.call("open-recent", catalog) }
    }

    private func useServer() {
        // Away for longer than there, nothing would ever be seen.
        if site.isServerUp, Bool.random(using: &random) { site.stopServer() } else { site.startServer() }
    }

    private func pause() {
        let isOn = Bool.random(using: &random)
        log("pause: \(isOn)")
        hands.turn("pause", on: isOn)
    }

    private func openDialog() {
        let action = ["open", "open-folder", "open-address", "save", "shortcuts", "about"].randomElement(using: &random)
        log("dialog \(action ?? "")")
        hands.call(action ?? "")
    }

    private func usePanel() {
        if Bool.random(using: &random), let choice = eyes.first(gtk_drop_down_get_type()) {
            let strategy = guint.random(in: 0...1, using: &random)
            log("strategy \(strategy)")
            return gtk_drop_down_set_selected(OpaquePointer(choice), strategy)
        }
        let isOpen = Bool.random(using: &random)
        log("panel: \(isOpen)")
        hands.turn("panel", on: isOpen)
    }
}
