extension LicenseEngine {
    /// Waits until no other act is being done. An activation and a deactivation that overlap could otherwise keep a
    /// license here whose place was given back.
    ///
    /// Asking whether a license is in order takes no turn: nobody who enters a key waits for a slow network behind it.
    func takeTurn() async {
        guard isActing else {
            isActing = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Lets the next act be done.
    func endTurn() {
        guard !waiting.isEmpty else {
            isActing = false
            return
        }
        waiting.removeFirst().resume()
    }
}
