#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "attacker.h"

const char *inside(const struct target *target, const char *name) {
    static char paths[4][640];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", target->folder, name);
    return path;
}

/// Whether a file can be read and has these words in it.
static int reads(const char *path, const char *words) {
    char text[65536];
    int file = open(path, O_RDONLY);
    ssize_t count = file < 0 ? -1 : read(file, text, sizeof text);
    if (file >= 0) close(file);
    return count > 0 && (!words || memmem(text, (size_t)count, words, strlen(words)) != NULL);
}

static int reads_of_program(const struct target *target, const char *name, const char *words) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", target->program, name);
    return reads(path, words);
}

static int opens(int file) {
    if (file >= 0) close(file);
    return file >= 0;
}

#define ATTACK(name, ...) static int name(const struct target *target) { (void)target; __VA_ARGS__ }

ATTACK(read_a_private_file, return reads(inside(target, "private"), secret_words);)
ATTACK(read_a_system_file, return reads("/etc/passwd", NULL);)
ATTACK(read_the_programs_environment, return reads_of_program(target, "environ", secret_words);)
ATTACK(read_the_programs_arguments, return reads_of_program(target, "cmdline", NULL);)
ATTACK(read_the_programs_map, return reads_of_program(target, "maps", NULL);)
ATTACK(read_its_own_map, return reads("/proc/self/maps", NULL);)
ATTACK(read_through_openat2, struct open_how how = {.flags = O_RDONLY};
    return opens((int)syscall(SYS_openat2, AT_FDCWD, inside(target, "private"), &how, sizeof how));)
ATTACK(read_the_programs_memory, char path[64], found[sizeof secret_words] = "";
    snprintf(path, sizeof path, "/proc/%d/mem", target->program);
    int file = open(path, O_RDONLY);
    if (file < 0) return 0;
    ssize_t count = pread(file, found, sizeof found, (off_t)target->secret);
    close(file);
    return count == sizeof found && !memcmp(found, secret_words, sizeof found);)
ATTACK(list_a_folder, DIR *folder = opendir(target->folder);
    int count = 0;
    while (folder && readdir(folder)) count++;
    if (folder) closedir(folder);
    return count > 2;)
ATTACK(follow_with_o_path, return opens(open(inside(target, "private"), O_PATH));)
ATTACK(open_for_writing, return opens(open(inside(target, "file"), O_WRONLY));)
ATTACK(open_for_both, return opens(open(inside(target, "file"), O_RDWR));)
ATTACK(open_and_append, return opens(open(inside(target, "file"), O_WRONLY | O_APPEND));)
ATTACK(open_and_truncate, return opens(open(inside(target, "file"), O_RDONLY | O_TRUNC));)
ATTACK(create, return opens(open(inside(target, "new"), O_RDONLY | O_CREAT, 0600));)
ATTACK(create_with_creat, return opens(creat(inside(target, "new"), 0600));)
ATTACK(create_a_nameless_file, return opens(open(target->folder, O_TMPFILE | O_RDWR, 0600));)
ATTACK(truncate_a_file, return truncate(inside(target, "file"), 0) == 0;)
ATTACK(rename_a_file, return rename(inside(target, "file"), inside(target, "other")) == 0
    && rename(inside(target, "other"), inside(target, "file")) == 0;)
ATTACK(rename_with_renameat, return renameat(AT_FDCWD, inside(target, "file"), AT_FDCWD, inside(target, "other")) == 0
    && rename(inside(target, "other"), inside(target, "file")) == 0;)
ATTACK(rename_with_renameat2,
    return syscall(SYS_renameat2, AT_FDCWD, inside(target, "file"), AT_FDCWD, inside(target, "other"), 0) == 0
        && rename(inside(target, "other"), inside(target, "file")) == 0;)
ATTACK(link_a_file, return link(inside(target, "file"), inside(target, "link")) == 0;)
ATTACK(link_with_linkat, return linkat(AT_FDCWD, inside(target, "file"), AT_FDCWD, inside(target, "linkat"), 0) == 0;)
ATTACK(link_symbolically, return symlink("/etc/passwd", inside(target, "symlink")) == 0;)
ATTACK(link_with_symlinkat, return symlinkat("/etc/passwd", AT_FDCWD, inside(target, "symlinkat")) == 0;)
ATTACK(make_a_folder, return mkdir(inside(target, "folder"), 0700) == 0;)
ATTACK(make_with_mkdirat, return mkdirat(AT_FDCWD, inside(target, "folderat"), 0700) == 0;)
ATTACK(remove_a_folder, return rmdir(inside(target, "empty")) == 0;)
ATTACK(remove_a_file, return unlink(inside(target, "spare")) == 0;)
ATTACK(remove_with_unlinkat, return unlinkat(AT_FDCWD, inside(target, "spareat"), 0) == 0;)
ATTACK(make_a_pipe_with_a_name, return mknod(inside(target, "pipe"), S_IFIFO | 0600, 0) == 0;)
ATTACK(make_with_mknodat, return mknodat(AT_FDCWD, inside(target, "pipeat"), S_IFIFO | 0600, 0) == 0;)
ATTACK(make_a_device, return mknod(inside(target, "device"), S_IFCHR | 0600, makedev(1, 3)) == 0;)
ATTACK(change_the_mode, return chmod(inside(target, "file"), 0666) == 0;)
ATTACK(set_the_user_bit, return chmod(inside(target, "file"), 04755) == 0;)
ATTACK(set_the_user_bit_with_fchmodat, return fchmodat(AT_FDCWD, inside(target, "file"), 04755, 0) == 0;)
ATTACK(change_the_owner, return chown(inside(target, "file"), getuid(), getgid()) == 0;)
ATTACK(change_with_fchownat, return fchownat(AT_FDCWD, inside(target, "file"), getuid(), getgid(), 0) == 0;)
ATTACK(set_an_attribute, return setxattr(inside(target, "file"), "user.attack", "1", 1, 0) == 0;)
ATTACK(list_attributes, return listxattr(inside(target, "file"), NULL, 0) >= 0;)
ATTACK(change_times, return utimensat(AT_FDCWD, inside(target, "file"), NULL, 0) == 0;)
ATTACK(change_the_folder, return chdir("/") == 0;)
ATTACK(change_the_mask, umask(0); return umask(0) == 0 && syscall(SYS_umask, 0) >= 0;)
ATTACK(watch_a_folder, int file = (int)syscall(SYS_inotify_init1, 0); return opens(file);)
ATTACK(make_a_file_in_memory, return opens((int)syscall(SYS_memfd_create, "attack", 0));)
ATTACK(sync_the_disks, return syscall(SYS_sync) == 0;)

const struct attack attacks_on_files[] = {
    {"read a private file", read_a_private_file, 1},
    {"read a system file", read_a_system_file, 1},
    {"read the program's environment", read_the_programs_environment, 1},
    {"read the program's arguments", read_the_programs_arguments, 1},
    {"read the program's map", read_the_programs_map, 1},
    {"read its own map", read_its_own_map, 1},
    {"read through openat2", read_through_openat2, 0},
    {"read the program's memory", read_the_programs_memory, 1},
    {"list a folder", list_a_folder, 1},
    {"open with O_PATH", follow_with_o_path, 0},
    {"open for writing", open_for_writing, 0},
    {"open for both", open_for_both, 0},
    {"open and append", open_and_append, 0},
    {"open and truncate", open_and_truncate, 0},
    {"create", create, 0},
    {"create with creat", create_with_creat, 0},
    {"create a nameless file", create_a_nameless_file, 0},
    {"truncate", truncate_a_file, 0},
    {"rename", rename_a_file, 0},
    {"renameat", rename_with_renameat, 0},
    {"renameat2", rename_with_renameat2, 0},
    {"link", link_a_file, 0},
    {"linkat", link_with_linkat, 0},
    {"symlink", link_symbolically, 0},
    {"symlinkat", link_with_symlinkat, 0},
    {"mkdir", make_a_folder, 0},
    {"mkdirat", make_with_mkdirat, 0},
    {"rmdir", remove_a_folder, 0},
    {"unlink", remove_a_file, 0},
    {"unlinkat", remove_with_unlinkat, 0},
    {"mknod of a pipe", make_a_pipe_with_a_name, 0},
    {"mknodat of a pipe", make_with_mknodat, 0},
    {"mknod of a device", make_a_device, 0},
    {"chmod", change_the_mode, 0},
    {"chmod to set-uid", set_the_user_bit, 0},
    {"fchmodat to set-uid", set_the_user_bit_with_fchmodat, 0},
    {"chown", change_the_owner, 0},
    {"fchownat", change_with_fchownat, 0},
    {"setxattr", set_an_attribute, 0},
    {"listxattr", list_attributes, 0},
    {"utimensat", change_times, 0},
    {"chdir", change_the_folder, 0},
    {"umask", change_the_mask, 0},
    {"inotify_init1", watch_a_folder, 0},
    {"memfd_create", make_a_file_in_memory, 0},
    {"sync", sync_the_disks, 0},
};
const size_t count_on_files = sizeof attacks_on_files / sizeof attacks_on_files[0];
