;; SPDX-License-Identifier: Apache-2.0
;; Somebody who debugs a file in Emacs, without a screen: what dape.el and dap-mode.el share.
;;
;; Environment: EDITED_FILE, BREAK_LINE, LINES (the file with the lines of docs/how-to/editors.md),
;; REPORT (where what was seen is written, as JSON).

(require 'json)
(require 'cl-lib)
(setq make-backup-files nil
      create-lockfiles nil)

(defvar session-seen nil "Alist of what was seen.")

(defvar session-buffers nil "Alist from a name in the report to the buffer whose text it gets.")

(defun session-saw (key value)
  "Note VALUE for KEY."
  (setf (alist-get key session-seen) value))

(defun session-wait (what test)
  "Until TEST answers something else than nil, for WHAT; gives that. Maven may build before."
  (let ((deadline (+ (float-time) 100)) found)
    (while (not (or (setq found (funcall test)) (> (float-time) deadline)))
      (accept-process-output nil 0.05))
    (or found (progn (session-saw 'gave-up what) (session-end)))))

(defun session-text (buffer)
  "The text in BUFFER, nothing if it does not exist."
  (if (get-buffer buffer) (with-current-buffer buffer (buffer-substring-no-properties (point-min) (point-max))) ""))

(defun session-end ()
  "Write what was seen, and end Emacs."
  (session-saw 'messages (session-text "*Messages*"))
  (dolist (each session-buffers) (session-saw (car each) (session-text (cdr each))))
  (session-saw 'warnings (session-text "*Warnings*"))
  (with-temp-file (getenv "REPORT") (insert (json-encode session-seen)))
  (kill-emacs 0))

(defun session-open ()
  "Visit the file at its line. What packages said when they were loaded is theirs."
  (with-current-buffer "*Messages*" (let ((inhibit-read-only t)) (erase-buffer)))
  (find-file (getenv "EDITED_FILE"))
  (goto-char (point-min))
  (forward-line (1- (string-to-number (getenv "BREAK_LINE")))))

(defun session-packages ()
  "Activate the packages in ELPA_FOLDER as an installed Emacs does at its start."
  (require 'package)
  (setq package-directory-list (list (getenv "ELPA_FOLDER")))
  (package-initialize))
