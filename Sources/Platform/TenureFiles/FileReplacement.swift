#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Replaces a small file in one step, so that a crash leaves either its old bytes or its new ones.
package enum FileReplacement {
    /// A step that has finished.
    package enum Step: Sendable, Equatable, CaseIterable {
        /// The new bytes are on disk under a temporary name.
        case written
        /// The temporary file has been renamed to the final name.
        case renamed
    }

    /// Why a file wasn't replaced, or not durably.
    package enum Failure: Error, Equatable {
        /// The temporary file can't be created. The file still has its old bytes.
        case notCreated(Errno)
        /// The temporary file can't be written or renamed, and has been removed. The file still has its old bytes.
        case notWritten(Errno)
        /// The file has its new bytes, but a crash may bring back the old ones.
        case notDurable(Errno)
    }

    /// Replaces a file in a folder at a path; see ``FileDescriptor/replace(_:by:temporary:watching:)``.
    package static func replace(
        _ name: String, in folder: String, by bytes: [UInt8], temporary: String
    ) throws(Failure) {
        let opened: FileDescriptor
        do throws(Errno) {
            opened = try .folder(at: folder)
        } catch {
            throw .notCreated(error)
        }
        try opened.replace(name, by: bytes, temporary: temporary)
    }
}

extension FileDescriptor {
    /// Replaces a file of this folder atomically, or creates it; only its owner may read and write it.
    ///
    /// When this returns, the new bytes are on permanent storage. Only one thread of one process may use a temporary
    /// name at a time.
    ///
    /// - Parameters:
    ///   - temporary: The name of the new file until it's complete. A file of that name, which a killed process left
    ///     behind, is removed.
    ///   - watching: Called with each step that has finished.
    package func replace(
        _ name: String, by bytes: [UInt8], temporary: String, watching: (FileReplacement.Step) -> Void = { _ in }
    ) throws(FileReplacement.Failure) {
        unsafe unlinkat(number, temporary, 0)
        let file: FileDescriptor
        do throws(Errno) {
            file = try FileDescriptor(
                opening: temporary, in: self, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        } catch {
            throw .notCreated(error)
        }
        do throws(Errno) {
            try file.write(bytes)
            // The umask may have cleared permissions that the owner needs.
            guard fchmod(file.number, 0o600) == 0 else { throw .current }
            try file.synchronize()
            watching(.written)
            guard unsafe renameat(number, temporary, number, name) == 0 else { throw .current }
        } catch {
            unsafe unlinkat(number, temporary, 0)
            throw .notWritten(error)
        }
        watching(.renamed)
        do throws(Errno) {
            try synchronizeNames()
        } catch {
            #if !canImport(Darwin)
                // Without the right to read the folder, only `sync()` is possible. It waits, too, but writes all file
                // systems.
                if error.rawValue == EBADF { return sync() }
            #endif
            throw .notDurable(error)
        }
    }
}
